//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// In other groups than the first they do not differ so at the start.
__kernel void loop_invariant_wrong(__global uint *out, __global const uint *data, uint n)
{
    uint a = get_global_id(0);
    uint b = 0;
    for (uint i = 0; __invariant((a ^ b) == get_local_id(0)), i < n; i++) { //~? assertion
        a ^= data[get_global_id(0) + i];
        b ^= data[get_global_id(0) + i];
    }
    out[get_group_id(0) * 64 + (a ^ b)] = b;
}
