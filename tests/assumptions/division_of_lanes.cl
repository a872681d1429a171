//pass
//--local_size=64 --num_groups=4 -D LAST=0
// assumes: no division by zero (line 8)
// otherwise verified: --local_size=64 --num_groups=4 -D LAST=3
// One lane of a constant is zero.
__kernel void division_of_lanes(__global uint *out, uint2 n)
{
    uint2 quotient = n / (uint2)(2, LAST);
    out[(ulong)quotient.y + get_global_id(0)] = get_global_id(0);
}
