//pass
//--local_size=64 --num_groups=4 --only-log

// All threads write one place, which is not asked about; what is stated of their accesses holds.
__kernel void only_log(__global int *out)
{
    out[0] = get_global_id(0);
    __assert(__write_implies(out, __write_offset_bytes(out) == 0));
}
