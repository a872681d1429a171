//pass
//--local_size=64 --num_groups=4
// At the head of a loop a hint that is right is used, and one that is wrong, or stands elsewhere, is nothing.
__kernel void candidate_assert(__global uint *out, __global const uint *data, uint n)
{
    uint a = get_local_id(0);
    uint b = 0;
    for (uint i = 0; __candidate_assert((a ^ b) == get_local_id(0)), __candidate_global_assert(a > b), i < n; i++) {
        a ^= data[get_global_id(0) + i];
        b ^= data[get_global_id(0) + i];
        __candidate_assert(a == b);
    }
    out[get_group_id(0) * 64 + (a ^ b)] = b;
}
