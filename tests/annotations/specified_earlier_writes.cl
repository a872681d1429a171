//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// What a function ensures of accesses is about its own, and not about what came before it.
void __spec_fill(__global int *p)
{
    __ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == 4096 + get_global_id(0)));
    __writes_to(p);
}

__kernel void specified_earlier_writes(__global int *out)
{
    if (get_global_id(0) == 0) {
        out[5] = 1; //~? race
    }
    __spec_fill(out);
    if (get_global_id(0) == 1) {
        out[5] = 2; //~? race
    }
}
