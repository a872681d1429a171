//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// An atomic operation and a plain read of the same cell are not ordered.

__kernel void atomic_and_read(__global int *counter, __global int *out)
{
    atomic_inc(counter); //~ race
    out[get_global_id(0)] = *counter; //~ race
}
