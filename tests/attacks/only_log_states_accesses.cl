//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --only-log

// Races are not asked about, but what is stated of accesses is.
__kernel void only_log_states_accesses(__global int *out)
{
    out[get_global_id(0) & 1] = get_global_id(0);
    __assert(__write_implies(out, __write_offset_bytes(out) == 0)); //~? assertion
}
