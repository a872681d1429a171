//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// The numbers are distinct, their last six bits are not.

__kernel void masked(__global uint *count, __global uint *list)
{
    uint at = atomic_inc(count) & 63;
    list[at] = get_global_id(0); //~ race
}
