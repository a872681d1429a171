//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// A pointer may point into the middle of its array: cells before it are cells.

__kernel void negative_index(__global int *out)
{
    long i = (long)(get_local_id(0) / 2) - 16;
    out[i] = get_global_id(0); //~? race
}
