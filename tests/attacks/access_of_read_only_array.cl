//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Nobody writes `in`, so nothing can race there; but it is read.
__kernel void access_of_read_only_array(__global int *out, __global const int *in)
{
    out[get_local_id(0)] = in[get_local_id(0)];
    __assert(__no_read(in)); //~? assertion
}
