//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Stated under a condition, it has been shown of some threads only, and the barrier is in a branch.
__kernel void barrier_invariant_of_some(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = id / 2;
    if (id % 2 == 0 && id == 0) {
        __barrier_invariant_1(place[get_local_id(0)] == get_local_id(0), (id + 1) % 64);
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
    out[id] = place[id];
}
