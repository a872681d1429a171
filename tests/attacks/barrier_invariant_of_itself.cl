//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A pair of the same thread is no pair: that a number differs from itself must not follow.
__kernel void barrier_invariant_of_itself(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = id;
    __barrier_invariant_binary_1(place[get_local_id(0)] != __other_int(place[get_local_id(0)]), id, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = id; //~ race
}
