//pass
//--local_size=64 --num_groups=4
// Written once, stated at the head of both loops.
__kernel void function_wide(__global int *out, uint n)
{
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] += 1;
    }
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] *= 2;
    }
    __function_wide_invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) == get_global_id(0)));
}
