//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// What is given back is drawn again.

__kernel void give_back(__global uint *count, __global uint *list)
{
    uint at = atomic_inc(count);
    list[at] = get_global_id(0); //~ race
    atomic_dec(count);
}
