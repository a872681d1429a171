//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// There are four quarters for eight threads.

__kernel void given_back(__global uint *count, __global uint *list)
{
    uint at = atomic_sub(count, 0x40000000u);
    list[at >> 30] = get_global_id(0); //~ race
}
