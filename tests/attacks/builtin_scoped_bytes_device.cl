//pass
//--local_size=64 --num_groups=4
// Bytes have atomics of their own size, and those beside are other ones.

__kernel void scoped_bytes_device(__global uchar *cell, __global int *out)
{
    out[get_global_id(0)] = 1;
    __scoped_atomic_fetch_max(cell + get_local_id(0) % 4, get_local_id(0), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
