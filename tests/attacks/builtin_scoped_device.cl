//pass
//--local_size=64 --num_groups=4
// The scope is the device.

__kernel void scoped_device(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = 1;
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
