//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// What was there before may have changed.
void __spec_next(__global int *p)
{
    __requires(p[get_global_id(0)] == get_global_id(0));
    __ensures(__write_implies(p, __write_offset_bytes(p) / sizeof(int) == get_global_id(0)));
    __writes_to(p);
}

__kernel void specified_values_lost(__global int *out)
{
    out[get_global_id(0)] = get_global_id(0);
    __spec_next(out);
    __assert(out[get_global_id(0)] == get_global_id(0)); //~? assertion
}
