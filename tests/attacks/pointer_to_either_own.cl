//pass
//--local_size=64 --num_groups=16
// The pointer points into one of two arrays, to one's own element in either.

__kernel void pointer_to_either(__global uint *a, __global uint *b, __global const int *which)
{
    uint gid = get_global_id(0);
    __global uint *p = which[gid] ? a + gid : b + 2 * gid;
    *p = gid;
}
