//pass
//--local_size=64 --num_groups=16
// Components put together, reordered and taken apart again.

__kernel void vectors(__global uint *a, __global uint4 *b)
{
    uint gid = get_global_id(0);
    uint4 v = (uint4)(gid, 2 * gid, 3 * gid, 4 * gid);
    uint4 w = v.wzyx;
    uint2 pair = w.even;
    v.lo = pair;
    a[v.x] = gid;
    b[w.s3].y = gid;
}
