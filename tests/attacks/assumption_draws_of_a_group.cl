//pass
//--local_size=128 --num_groups=4
// Each group counts for itself: 128 numbers for 128 threads, however many groups there are.

__kernel void of_a_group(__global uint *list)
{
    __local uint count;
    if (get_local_id(0) == 0) {
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = atomic_add(&count, 0x02000000u);
    list[get_group_id(0) * 128 + (at >> 25)] = get_local_id(0);
}
