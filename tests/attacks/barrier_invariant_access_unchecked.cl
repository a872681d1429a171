//pass
//--local_size=64 --num_groups=4 --no-barrier-access-checks

// The invariant reads what the neighbour writes at the same time, which is not asked about.
__kernel void barrier_invariant_access_unchecked(__global int *out)
{
    __local int place[64];
    uint id = get_local_id(0);
    place[id] = id;
    __barrier_invariant_1((place[(get_local_id(0) + 1) % 64] < 0) | 1, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = place[id];
}
