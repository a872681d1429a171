//pass
//--local_size=64 --num_groups=16
// What an atomic returned, but only as a value.

__kernel void atomic_result(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = atomic_inc(counter);
}
