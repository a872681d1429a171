//unknown
//--local_size=64 --num_groups=1
// Seven times 64 threads, though nothing says at once how often the inner loop goes round.

__kernel void nested(__global uint *count, __global uint *list)
{
    for (uint i = 0; i < 2; i++) {
        for (uint j = i; j < 4; j++) {
            uint at = atomic_add(count, 0x01000000u);
            list[at >> 24] = get_global_id(0) + 8 * i + j;
        }
    }
}
