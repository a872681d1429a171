//pass
//--local_size=2 --num_groups=2
// What is added is less than zero.

__kernel void negative(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, -0x40000000);
    list[at >> 30] = get_global_id(0);
}
