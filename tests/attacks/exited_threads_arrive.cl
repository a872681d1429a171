//pass
//--local_size=64 --num_groups=16 --exited-threads=arrive
// Threads that return early count as having arrived, where that is asked for.

__kernel void exited_threads_arrive(__global const int *in, __global int *out, int n)
{
    __local int tile[64];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    if (gid >= n) {
        return;
    }
    tile[lid] = in[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = tile[0];
}
