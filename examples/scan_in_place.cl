//pass
//--local_size=64 --num_groups=1
// Figure 1a of the lock-step paper (Collingbourne and others, ESOP 2013): a scan in which all
// work-items go round the loop equally often, and only those with a left neighbour work.

#define TS 64

__kernel void scan(__global int *sum)
{
    int tid = get_local_id(0);
    int offset = 1;
    int temp;
    while (offset < TS) {
        if (tid >= offset) {
            temp = sum[tid - offset];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (tid >= offset) {
            sum[tid] = sum[tid] + temp;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        offset *= 2;
    }
}
