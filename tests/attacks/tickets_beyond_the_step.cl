//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// Steps of 2, and three places written.

__kernel void append_three(__global uint *count, __global uint *list)
{
    uint at = atomic_add(count, 2);
    for (uint i = 0; i < 3; i++) {
        list[at + i] = get_global_id(0); //~ race
    }
}
