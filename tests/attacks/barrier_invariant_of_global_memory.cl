//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The barrier orders local memory only: what the others wrote to global memory need not be visible yet, and reading it
// is a race. The invariant, true where it stands, must not say otherwise.
__kernel void barrier_invariant_of_global_memory(__global uint *place, __global int *out)
{
    uint id = get_local_id(0);
    place[id] = id; //~ race
    __barrier_invariant_1(place[get_local_id(0)] == get_local_id(0), (id + 1) % 64);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[place[(id + 1) % 64] & 63] = 1; //~ race
}
