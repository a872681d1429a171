//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// In the third round, which only the last group gets to, the last thread writes behind its group's elements.
__kernel void barrier_invariant_in_loop_defect(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    for (uint round = 0;
         __invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) / 64 == get_group_id(0))), //~? assertion
         round < get_group_id(0); round++) {
        place[id] = (id + round) % 64;
        __barrier_invariant_1(place[get_local_id(0)] == (get_local_id(0) + round) % 64, (id + 1) % 64);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_group_id(0) * 64 + place[(id + 1) % 64] + (round > 1)] = id;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
