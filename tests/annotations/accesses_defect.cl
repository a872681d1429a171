//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It takes one element more than is its own to read.
__kernel void accesses_defect(__global int *out, __global const int *counts)
{
    out[get_global_id(0)] = counts[get_global_id(0)] + counts[get_global_id(0) + 1];
    __assert(__read_implies(counts, __read_offset_bytes(counts) == get_global_id(0) * sizeof(int))); //~? assertion
}
