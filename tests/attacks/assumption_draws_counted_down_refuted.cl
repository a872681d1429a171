//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As many for each of twice as many threads.

__kernel void down(__global uint *count, __global uint *list)
{
    for (int i = 10; i > 2; i -= 2) {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i; //~ race
    }
}
