//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --asymmetric-asserts

// Of any two threads one is the first.
__kernel void asymmetric_asserts_defect(__global uint *out, uint n)
{
    uint i = get_global_id(0);
    __assert(i < get_global_size(0) - 1); //~ assertion
    out[i] = n;
}
