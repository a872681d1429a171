//pass
//--local_size=64 --num_groups=4
// Two checksums over the same data differ as they did at the start, for each thread by its id; the index hinges on it.
__kernel void loop_invariant(__global uint *out, __global const uint *data, uint n)
{
    uint a = get_local_id(0);
    uint b = 0;
    for (uint i = 0; __invariant((a ^ b) == get_local_id(0)), i < n; i++) {
        a ^= data[get_global_id(0) + i];
        b ^= data[get_global_id(0) + i];
    }
    out[get_group_id(0) * 64 + (a ^ b)] = b;
}
