//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --exited-threads=arrive
// What a thread wrote before it returned is not ordered by a barrier that it never came to.

__kernel void exited_threads_arrive_unordered(__global int *out, int n)
{
    __local int tile[64];
    int lid = get_local_id(0);
    tile[lid] = lid; //~? race
    if (lid > 0) {
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = tile[1]; //~? race
}
