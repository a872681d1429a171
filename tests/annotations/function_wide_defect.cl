//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
__kernel void function_wide_defect(__global int *out)
{
    for (uint i = 0; i < 4; i++) {
        out[get_global_id(0)] += 1;
    }
    for (uint i = 0; i < 4; i++) {
        out[get_global_id(0) + get_global_size(0)] += 1;
    }
    __function_wide_invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) == get_global_id(0))); //~? assertion
}
