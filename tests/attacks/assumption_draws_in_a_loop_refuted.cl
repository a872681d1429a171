//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Each of 128 threads draws four of 256 numbers.

__kernel void in_a_loop(__global uint *count, __global uint *list)
{
    for (uint i = 0; i < 4; i++) {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i; //~ race
    }
}
