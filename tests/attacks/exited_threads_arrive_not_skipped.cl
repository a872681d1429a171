//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --exited-threads=arrive
// A thread that goes round the barrier has not returned.

__kernel void exited_threads_arrive_not_skipped(__global const int *in, __global int *out, int n)
{
    __local int tile[64];
    int lid = get_local_id(0);
    tile[lid] = in[lid];
    if (lid < n) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
    tile[lid] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[lid];
}
