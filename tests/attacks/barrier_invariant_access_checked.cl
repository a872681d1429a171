//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4

// What an invariant reads is an access.
__kernel void barrier_invariant_access_checked(__global int *out)
{
    __local int place[64];
    uint id = get_local_id(0);
    place[id] = id; //~ race
    __barrier_invariant_1((place[(get_local_id(0) + 1) % 64] < 0) | 1, id); //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = place[id];
}
