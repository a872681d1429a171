//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The quotient and the remainder are of different divisors, so two work-items have both in common.
__kernel void divided_by_other_numbers(__global int *out)
{
    const int i = get_global_id(0);
    out[i % 24 + 25 * (i / 25)] = i; //~ race a
}
