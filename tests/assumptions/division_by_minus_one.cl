//pass
//--local_size=64 --num_groups=4 -D DIVISOR=-1
// assumes: no division by zero, and none of the least number by -1 (line 7)
// otherwise verified: --local_size=64 --num_groups=4 -D DIVISOR=-2
__kernel void division_by_minus_one(__global int *out, int n)
{
    out[(long)(n / DIVISOR) + get_global_id(0)] = get_global_id(0);
}
