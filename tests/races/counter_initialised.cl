// race-free
// run: --local-size 64 --num-groups 2
// atomic_init is no atomic operation: a barrier stands before the first one.

__kernel void counter_initialised(__global int *out)
{
    __local atomic_int count;
    if (get_local_id(0) == 0) {
        atomic_init(&count, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_fetch_add(&count, 1);
}
