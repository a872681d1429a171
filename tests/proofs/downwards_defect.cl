//xfail:NOT_ALL_VERIFIED
//--local_size=72 --num_groups=2
// As downwards.cl, but the step is too small.

__kernel void downwards_defect(__global int *out, int n)
{
    for (int i = n - 1 - (int)get_global_id(0); i >= 0; i -= 143) {
        out[i] = get_global_id(0); //~ race
    }
}
