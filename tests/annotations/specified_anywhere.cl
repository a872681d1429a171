//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A function that says nothing of where may write anywhere.
void __spec_fill(__global int *p)
{
    __writes_to(p); //~? race
}

__kernel void specified_anywhere(__global int *out, __global const int *in)
{
    __local int tile[64];
    tile[get_local_id(0)] = in[get_global_id(0)];
    __spec_fill(out);
}
