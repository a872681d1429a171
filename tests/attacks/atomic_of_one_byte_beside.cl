//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// An atomic of four bytes and a plain write to the last of them.

__kernel void atomic_of_one_byte(__global uint *counter)
{
    atomic_inc(counter); //~ race
    if (get_global_id(0) == 5) {
        ((__global uchar *)counter)[3] = 0; //~ race
    }
}
