//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It holds at first, but not after an iteration.
__kernel void loop_invariant_lost(__global uint *out, uint n)
{
    uint a = get_local_id(0);
    uint b = 0;
    for (uint i = 0; __invariant((a ^ b) == get_local_id(0)), i < 3; i++) { //~? assertion
        a ^= i;
        b ^= 2 * i;
    }
    out[get_group_id(0) * 64 + (a ^ b)] = b;
}
