//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Two threads share an element of whichever array is looked up.

__kernel void pointers_in_private_array_clash(__global int *a, __global int *b, int k)
{
    uint gid = get_global_id(0);
    __global int *arrays[2] = {a, b};
    arrays[k & 1][gid / 2] = gid; //~ race
}
