//pass
//--local_size=64 --num_groups=4 --asymmetric-asserts

__kernel void asymmetric_asserts(__global uint *out, uint n)
{
    uint i = get_global_id(0);
    __assert(i < get_global_size(0));
    out[i] = n;
}
