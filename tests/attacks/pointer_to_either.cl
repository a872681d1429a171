//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The pointer points into one of two arrays; in the second one everybody's element is the first.

__kernel void pointer_to_either(__global uint *a, __global uint *b, __global const int *which)
{
    uint gid = get_global_id(0);
    __global uint *p = which[gid] ? a + gid : b;
    *p = gid; //~ race
}
