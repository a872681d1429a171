//xfail:NOT_ALL_VERIFIED
//--local_size=16 --num_groups=5
// Four times 80 threads are more than 256.

__kernel void at_the_end(__global uint *count, __global uint *list)
{
    uint i = 0;
    do {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i; //~ race
    } while (++i < 4);
}
