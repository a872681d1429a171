//pass
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// C11 atomics on one counter, with orders and scopes.

__kernel void counters(volatile __global atomic_int *counter, volatile __global atomic_uint *largest, __global int *out)
{
    int gid = get_global_id(0);
    out[gid] = atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(largest, (uint)gid, memory_order_relaxed, memory_scope_device);
}
