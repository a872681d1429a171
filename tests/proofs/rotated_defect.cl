//xfail:NOT_ALL_VERIFIED
//--local_size=72 --num_groups=2
// As rotated.cl, but the step is one too small.

__kernel void rotated_defect(__global int *out, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        do {
            out[i] = get_global_id(0); //~ race
            i += 143;
        } while (i < n);
    }
}
