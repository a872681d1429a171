//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Neighbours put the same number down, and then write to the same place.
__kernel void barrier_invariant_binary_defect(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = id / 2;
    __barrier_invariant_1(place[get_local_id(0)] < 64, get_local_id(0));
    __barrier_invariant_binary_1(place[get_local_id(0)] != __other_int(place[get_local_id(0)]), //~? assertion
                                 get_local_id(0), __other_int(get_local_id(0)));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + place[id]] = id;
}
