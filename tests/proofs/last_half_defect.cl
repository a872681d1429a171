//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As last_half.cl, but the half that the last round has written is read.

__kernel void last_half_defect(__global int *out, __global const int *in, int rounds)
{
    __local int halves[128];
    int lid = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        halves[(i & 1) * 64 + lid] = in[i * 64 + lid]; //~ race
        sum += halves[(i + 1 & 1) * 64 + 63 - lid];
    }
    out[lid] = sum + halves[(rounds + 1 & 1) * 64 + 63 - lid]; //~ race
}
