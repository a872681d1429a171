//pass
//--local_size=64 --num_groups=16
// select and shuffle choose among known components.

__kernel void choose(__global uint *a, __global uint *b)
{
    uint gid = get_global_id(0);
    uint4 v = (uint4)(gid, 0, 0, 0);
    uint4 w = shuffle(v, (uint4)(3, 2, 1, 0));
    a[w.w] = gid;
    b[select(2 * gid + 1, 2 * gid, gid & 1)] = gid;
}
