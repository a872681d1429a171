//pass
//--local_size=64 --num_groups=4
// What it does not write for odd threads they may write themselves; where nothing can be written, nothing is.
void __spec_fill(__global int *p, int odd, int n)
{
    __writes_to(p);
    __ensures(__implies(odd, !__write(p)));
    __ensures(__write_implies(p, (__write_offset_bytes(p) / sizeof(int) == get_global_id(0) + 1) & (get_global_id(0) < n)));
}

__kernel void specified_not_if(__global int *out, int n)
{
    int id = get_global_id(0);
    __spec_fill(out, id & 1, n);
    if (id & 1) {
        out[id + 1] = id;
    }
}
