//xfail:NOT_ALL_VERIFIED
//--local_size=56 --num_groups=1
// As coupled_counters.cl, but rows overlap.

__kernel void coupled_counters_defect(__global int *out, __global const int *in, int n)
{
    int lid = get_local_id(0);
    int row = 0;
    for (int i = lid; i < n; i += 56, row++) {
        out[row * 50 + lid] = in[i]; //~ race
    }
}
