//pass
//--local_size=64 --num_groups=4
// Of `fill` nothing is known but what it says: which array it writes to, and where.
void __spec_fill(__global int *p)
{
    __ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0)));
    __writes_to(p);
}

__kernel void specified(__global int *out)
{
    __spec_fill(out);
    out[get_global_id(0)] += 1;
}
