//pass
//--local_size=64 --num_groups=4
// A thread writes where its neighbour has told it to.
__kernel void barrier_invariant(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = 63 - id;
    __barrier_invariant_1(place[get_local_id(0)] == 63 - get_local_id(0), (id + 1) % 64);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + place[(id + 1) % 64]] = id;
}
