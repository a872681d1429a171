//pass
//--local_size=4 --num_groups=1
// A quarter for each of four threads, downwards.

__kernel void given_back(__global uint *count, __global uint *list)
{
    uint at = atomic_sub(count, 0x40000000u);
    list[at >> 30] = get_global_id(0);
}
