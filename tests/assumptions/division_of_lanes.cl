//pass
//--local_size=64 --num_groups=4 -D LAST=0
// assumes: no division by zero (line 10)
// otherwise verified: --local_size=64 --num_groups=4 -D LAST=3
// One lane of a constant is zero, in a branch that callers need not take.
__kernel void division_of_lanes(__global uint *out, uint2 n)
{
    uint2 quotient = n;
    if (n.x == 77)
        quotient = n / (uint2)(2, LAST);
    out[(ulong)quotient.y + get_global_id(0)] = get_global_id(0);
}
