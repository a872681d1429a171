//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// One of the pointers is null.

__kernel void null_in_private_array(__global int *a, int k)
{
    __global int *arrays[2] = {a, 0};
    arrays[k & 1][get_global_id(0)] = 1; //~ null-dereference
}
