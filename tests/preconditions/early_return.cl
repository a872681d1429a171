//conditional: n % 64 == 0
//--local-size=64 --num-groups=*
// contract: n > 0 && n % 64 == 0
// Threads beyond the end of the data do not come to the barrier.

__kernel void neighbours(__global const int *in, __global int *out, int n)
{
    __local int tile[64];
    int lid = get_local_id(0), gid = get_global_id(0);
    if (gid >= n)
        return;
    tile[lid] = in[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = tile[63 - lid];
#ifdef DEFECT
    if (lid > 0)
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
}
