//xfail:INPUT
//--local_size=64 --num_groups=4
// Something is written between the fact and the barrier.
__kernel void misplaced_barrier_invariant(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = id;
    __barrier_invariant_1(place[get_local_id(0)] == get_local_id(0), (id + 1) % 64);
    place[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + place[(id + 1) % 64]] = 1;
}
