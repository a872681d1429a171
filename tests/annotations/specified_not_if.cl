//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It does not write for odd threads, which is no reason for them not to be there.
void __spec_fill(__global int *p, int odd)
{
    __writes_to(p);
    __ensures(__implies(odd, !__write(p)));
    __ensures(__implies(!odd, __write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0))));
}

__kernel void specified_not_if(__global int *out, __global int *last)
{
    int id = get_global_id(0);
    __spec_fill(out, id & 1);
    if (id & 1) {
        last[0] = id; //~? race
    }
}
