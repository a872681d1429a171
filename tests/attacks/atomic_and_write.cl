//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A plain write resets a counter while others count.

__kernel void atomic_and_write(__global int *counter, __global int *out)
{
    out[get_global_id(0)] = atomic_inc(counter); //~ race
    if (get_global_id(0) == 1000) {
        *counter = 0; //~ race
    }
}
