//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// A load draws nothing.

__kernel void look(__global atomic_uint *count, __global uint *list)
{
    uint at = atomic_load(count);
    atomic_fetch_add(count, 1);
    list[at] = get_global_id(0); //~ race
}
