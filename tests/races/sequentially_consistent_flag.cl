// race-free
// run: --local-size 64 --num-groups 1
// Sequentially consistent operations that synchronise order both memories, though the flag is in local memory.

__kernel void sequentially_consistent_flag(__global int *data, __global int *out)
{
    __local atomic_int flag;
    if (get_local_id(0) == 0) {
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        *data = 42;
        atomic_store(&flag, 1);
    } else if (get_local_id(0) == 32) {
        while (atomic_load(&flag) == 0) {
        }
        *out = *data;
    }
}
