// race-free
// run: --local-size 64 --num-groups 1
// The fence of the writer is one of writes (a release), the fence of the reader one of reads (an acquire).

__kernel void read_and_write_fences(__global int *data, __global int *out, volatile __global atomic_int *flag)
{
    if (get_local_id(0) == 0) {
        *data = 42;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_work_group);
    } else if (get_local_id(0) == 40) {
        while (atomic_load_explicit(flag, memory_order_relaxed, memory_scope_work_group) == 0) {
        }
        read_mem_fence(CLK_GLOBAL_MEM_FENCE);
        *out = *data;
    }
}
