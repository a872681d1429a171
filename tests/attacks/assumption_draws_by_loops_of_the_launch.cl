//unknown
//--local_size=64 --num_groups=1
// How often the loop goes round the launch decides: eight times, and 256 numbers are too few for 64 threads. A run says so.

__kernel void by_the_launch(__global uint *count, __global uint *list)
{
    for (uint i = get_local_size(0) / 8; i > 0; i--) {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i;
    }
}
