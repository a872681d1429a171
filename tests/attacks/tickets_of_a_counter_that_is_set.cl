//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The counter begins anew in each round, and nothing is waited for at the end of one but the first.

__kernel void rounds(__local uint *count, __global uint *list)
{
    for (int round = 0; round < 2; round++) {
        if (get_local_id(0) == 0) {
            *count = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint at = atomic_inc(count);
        list[at] = get_local_id(0) + round; //~? race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
