//pass
//--local_size=32 --num_groups=2
// The loop goes round four times.

__kernel void at_the_end(__global uint *count, __global uint *list)
{
    uint i = 0;
    do {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i;
    } while (++i < 4);
}
