//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// Two counters in one array count for themselves.

__kernel void halves(__global uint *count, __global uint *list)
{
    uint at = atomic_inc(&count[get_local_id(0) % 2]);
    list[at] = get_global_id(0); //~ race
}
