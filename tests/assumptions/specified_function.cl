//pass
//--local_size=64 --num_groups=4
// assumes: __spec_fill does what is specified of it, and nothing else
// assumes: the source's own assumption on line 9: `__ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0)))`
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
// What it would do wrong is nowhere to be seen.
void __spec_fill(__global int *p)
{
    __ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0)));
    __writes_to(p);
}

__kernel void specified_function(__global int *out)
{
#ifdef OTHERWISE
    out[get_global_id(0)] = 1;
#else
    __spec_fill(out);
#endif
}
