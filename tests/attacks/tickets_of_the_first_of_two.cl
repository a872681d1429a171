//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// A thread that takes one step writes two places.

__kernel void too_much(__global uint *count, __global uint *list)
{
    uint at = atomic_inc(count);
    list[at] = get_global_id(0); //~ race
    list[at + 1] = 0; //~ race
}
