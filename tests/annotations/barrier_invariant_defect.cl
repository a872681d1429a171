//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// What every thread writes is not what the invariant says.
__kernel void barrier_invariant_defect(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = 63 - id / 2;
    __barrier_invariant_1(place[get_local_id(0)] == 63 - get_local_id(0), (id + 1) % 64); //~? assertion
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + place[(id + 1) % 64]] = 1;
}
