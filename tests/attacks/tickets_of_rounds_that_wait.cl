//pass
//--local_size=64 --num_groups=1
// The counter begins anew in each round, and the list is that of the round.

__kernel void rounds(__local uint *count, __global uint *list)
{
    for (int round = 0; round < 3; round++) {
        if (get_local_id(0) == 0) {
            *count = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        uint at = atomic_inc(count);
        list[at] = get_local_id(0) + round;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
