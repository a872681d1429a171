//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=3
// Six threads, four quarters.

__kernel void negative(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, -0x40000000);
    list[at >> 30] = get_global_id(0); //~ race
}
