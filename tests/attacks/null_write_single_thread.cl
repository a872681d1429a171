//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=4
// Groups of one thread that share nothing: there is no pair within a group, and none that could race.

__kernel void null_write_single_thread(__global const int *in)
{
    __global int *nowhere = 0;
    *nowhere = in[0]; //~ null-dereference
}
