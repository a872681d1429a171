//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8 --no-check=uninitialised
// Each group counts for itself, all of them write one list.

__kernel void per_group(__local uint *count, __global uint *list)
{
    uint at = atomic_inc(count);
    list[at] = get_global_id(0); //~ race
}
