//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Figure 1b of the lock-step paper (Collingbourne and others, ESOP 2013): work-items leave the
// loop at different times, so some wait at a barrier that others never reach.

__kernel void scan(__global int *sum)
{
    int tid = get_local_id(0);
    int offset = 1;
    int temp;
    while (offset <= tid) {
        temp = sum[tid - offset];
        barrier(CLK_GLOBAL_MEM_FENCE); //~ barrier-divergence
        sum[tid] = sum[tid] + temp;
        barrier(CLK_GLOBAL_MEM_FENCE);
        offset *= 2;
    }
}
