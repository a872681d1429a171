// racy
// run: --local-size 64 --num-groups 1
// The barriers have changed places: each memory is read when the other one is in order.

__kernel void memories_one_by_one(__global int *cells, __global int *out)
{
    __local int copies[64];
    uint t = get_local_id(0);
    cells[t] = t;
    copies[t] = 2 * t; //~ race
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    int sum = copies[63 - t]; //~ race
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = sum + cells[63 - t];
}
