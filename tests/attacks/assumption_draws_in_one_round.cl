//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=2
// Set once, and drawn from in a loop without a barrier: all six draws of a thread are of one interval.

__kernel void in_one_round(__global uint *list)
{
    __local uint count;
    if (get_local_id(0) == 0) {
        count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0; round < 6; round++) {
        uint at = atomic_add(&count, 0x02000000u);
        list[get_group_id(0) * 128 + (at >> 25)] = get_local_id(0) + round; //~ race
    }
}
