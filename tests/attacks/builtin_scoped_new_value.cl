//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Half of a number that is drawn is another thread's, too: the new value is the old one and one more.

__kernel void scoped_new_value(__global uint *counter, __global uint *out)
{
    uint ticket = __scoped_atomic_add_fetch(counter, 1u, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[ticket / 2] = get_global_id(0); //~ race
}
