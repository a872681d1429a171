//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=1
// One thread races with nobody, and writes all the same.
__kernel void access_by_single_thread(__global int *out)
{
    out[5] = 1;
    __assert(__write_implies(out, __write_offset_bytes(out) == 0)); //~? assertion
}
