//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A hint is not believed.
__kernel void candidate_assert_wrong(__global uint *out, __global const uint *data, uint n)
{
    uint a = get_local_id(0);
    for (uint i = 0; __candidate_assert(a == get_local_id(0)), i < n; i++) {
        a ^= data[get_global_id(0) + i];
    }
    out[get_group_id(0) * 64 + (a & 63)] = a; //~ race
}
