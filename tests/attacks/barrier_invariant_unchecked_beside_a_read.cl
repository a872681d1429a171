//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --no-barrier-access-checks

// The kernel itself reads what the invariant reads: that is checked.
__kernel void barrier_invariant_unchecked_beside_a_read(__global int *out)
{
    __local int place[64];
    uint id = get_local_id(0);
    place[id] = id; //~ race
    int next = 0;
    __barrier_invariant_1((place[(get_local_id(0) + 1) % 64] < (next = place[(id + 1) % 64])) | 1, id); //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = next;
}
