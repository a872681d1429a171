//pass
//--local_size=2 --num_groups=1
// Two numbers are drawn, and there are two.

__kernel void half_of_all(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, 0x80000000u);
    list[at >> 1] = get_global_id(0);
}
