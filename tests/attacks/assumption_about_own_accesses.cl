//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What is assumed of each thread's own accesses is true here; of the other thread's it would be false, and hide the race.
__kernel void assumption_about_own_accesses(__global int *out)
{
    uint id = get_local_id(0);
    out[id] = id; //~ race
    __assume(__write_implies(out, __write_offset_bytes(out) / sizeof(int) == id));
    out[(id + 1) % 64] = 100 + id; //~ race
}
