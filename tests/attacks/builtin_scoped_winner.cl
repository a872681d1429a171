//pass
//--local_size=64 --num_groups=4
// One thread finds the lock free.

__kernel void scoped_winner(__global int *lock, __global int *out)
{
    int expected = 0;
    __scoped_atomic_compare_exchange_n(lock, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    out[get_global_id(0)] = expected;
}
