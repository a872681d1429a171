//unknown
//--local_size=64 --num_groups=4
// One lane of a constant is zero: every run divides by it.

__kernel void division_of_lanes(__global uint *out, uint2 n)
{
    uint2 quotient = n / (uint2)(2, 0);
    out[(ulong)quotient.y + get_global_id(0)] = get_global_id(0);
}
