//pass
//--local_size=64 --num_groups=4
// Of two guesses one is right; the wrong one is dropped.
__kernel void candidates(__global uint *out, __global const uint *data, uint n)
{
    uint a = get_local_id(0);
    uint b = 0;
    for (uint i = 0; __candidate_invariant((a ^ b) == get_local_id(0)), __candidate_invariant(a > b), i < n; i++) {
        a ^= data[get_global_id(0) + i];
        b ^= data[get_global_id(0) + i];
    }
    out[get_group_id(0) * 64 + (a ^ b)] = b;
}
