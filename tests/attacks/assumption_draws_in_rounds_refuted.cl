//xfail:NOT_ALL_VERIFIED
//--local_size=256 --num_groups=2
// In each round 256 threads draw 128 numbers.

__kernel void in_rounds(__global uint *list)
{
    __local uint count;
    for (uint round = 0; round < 6; round++) {
        if (get_local_id(0) == 0) {
            count = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint at = atomic_add(&count, 0x02000000u);
        list[get_group_id(0) * 128 + (at >> 25)] = get_local_id(0) + round; //~ race
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
