//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --check-arrays=out

// What is read from an array on which races are not asked about may be anything, for each thread something else.
__kernel void check_arrays_trusts_no_load(__global int *out)
{
    __local int shift;
    shift = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    shift = get_local_id(0);
    out[get_group_id(0) * 128 + get_local_id(0) + (shift & 63)] = get_local_id(0); //~? race
}
