//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// What it writes, another thread writes, too.
void __spec_fill(__global int *p)
{
    __ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0)));
    __writes_to(p); //~? race
}

__kernel void specified_defect(__global int *out)
{
    __spec_fill(out);
    out[get_global_id(0) + 1] = 1; //~? race
}
