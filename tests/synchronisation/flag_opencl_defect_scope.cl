//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Both are for their work-groups alone.

__kernel void flag_opencl(__global int *data, __global atomic_int *flag, __global int *out)
{
    if (get_global_id(0) == 0) {
        *data = 42;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_work_group); //~ race
    } else if (get_global_id(0) == 64) {
        while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group) == 0) { //~ race
        }
        *out = *data;
    }
}
