//pass
//--local_size=64 --num_groups=4
// The oldest ones are between all threads.

__kernel void sync(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = 1;
    __sync_fetch_and_add(counter, 1);
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    __sync_lock_test_and_set(counter + 1, 1);
}
