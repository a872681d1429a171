// race-free
// run: --local-size 64 --num-groups 1
// Two barriers order the two memories, each of them before it is read.

__kernel void memories_one_by_one(__global int *cells, __global int *out)
{
    __local int copies[64];
    uint t = get_local_id(0);
    cells[t] = t;
    copies[t] = 2 * t;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int sum = copies[63 - t];
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[t] = sum + cells[63 - t];
}
