//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Each of 128 threads draws two of 128 numbers.

__kernel void at_two_places(__global uint *count, __global uint *list)
{
    uint first = atomic_add(count, 0x02000000u);
    list[first >> 25] = get_global_id(0); //~ race
    uint second = atomic_add(count, 0x02000000u);
    list[second >> 25] = get_global_id(0);
}
