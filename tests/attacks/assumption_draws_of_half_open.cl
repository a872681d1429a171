//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// Launches of any size: an assumption that only launches of two threads keep is none to make.

__kernel void half_of_all(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, 0x80000000u);
    list[at >> 1] = get_global_id(0); //~ race
}
