//pass
//--local_size=32 --num_groups=2
// A loop that counts down from 10 to 2 goes round four times.

__kernel void down(__global uint *count, __global uint *list)
{
    for (int i = 10; i > 2; i -= 2) {
        uint at = atomic_add(count, 0x01000000u);
        list[at >> 24] = get_global_id(0) + i;
    }
}
