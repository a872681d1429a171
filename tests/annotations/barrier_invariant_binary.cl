//pass
//--local_size=64 --num_groups=4
// No two threads have put the same number down, whatever the order.
__kernel void barrier_invariant_binary(__global int *out, uint turn)
{
    __requires(turn < 64);
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = (id + turn) % 64;
    __barrier_invariant_1(place[get_local_id(0)] < 64, get_local_id(0));
    __barrier_invariant_binary_1(place[get_local_id(0)] != __other_int(place[get_local_id(0)]),
                                 get_local_id(0), __other_int(get_local_id(0)));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + place[id]] = id;
    __assert(__implies(__same_group, __distinct_int(place[id])));
}
