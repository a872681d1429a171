//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// When a thread states the fact its neighbour may not have written yet, or may be about to.
__kernel void barrier_invariant_reads_what_others_write(__global int *out)
{
    __local uint place[64];
    uint id = get_local_id(0);
    place[id] = 1; //~ race
    __barrier_invariant_1(place[(get_local_id(0) + 1) % 64] < 2 | place[get_local_id(0)] == 1, id); //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = place[id];
}
