//pass
//--local_size=64 --num_groups=4
// Numbers drawn from a counter are distinct.

__kernel void scoped_ticket(__global uint *counter, __global uint *out)
{
    uint ticket = __scoped_atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[ticket] = get_global_id(0);
}
