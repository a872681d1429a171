//pass
//--local_size=64 --num_groups=4
// The form that takes the values by address, on a float.

__kernel void scoped_generic_exchange_device(__global float *cell, __global float *out)
{
    float mine = get_local_id(0), found;
    __scoped_atomic_exchange(cell, &mine, &found, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[get_global_id(0)] = found;
}
