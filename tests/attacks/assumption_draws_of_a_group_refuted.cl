//xfail:NOT_ALL_VERIFIED
//--local_size=256 --num_groups=4
// 128 numbers for 256 threads.

__kernel void of_a_group(__global uint *list)
{
    __local uint count;
    if (get_local_id(0) == 0) {
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = atomic_add(&count, 0x02000000u);
    list[get_group_id(0) * 128 + (at >> 25)] = get_local_id(0); //~ race
}
