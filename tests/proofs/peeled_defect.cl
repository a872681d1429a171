//xfail:NOT_ALL_VERIFIED
//--local_size=72 --num_groups=2
// As peeled.cl, but the loop begins one too early.

__kernel void peeled_defect(__global int *out, int n)
{
    int i = get_global_id(0) + 1;
    out[i] = 0; //~ race
    for (i += 143; i < n; i += 144) {
        out[i] = get_global_id(0) + 1; //~ race
    }
}
