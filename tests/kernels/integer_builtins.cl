//pass
//--local_size=64 --num_groups=16
// Indices that go through the integer functions, each of which must be exact for them to be distinct.

__kernel void integer_builtins(__global uint *a, __global uint *b, __global uint *c, __global uint *d,
                               __global uint *e, __global uint *f, __global uint *g, __global uint *h)
{
    uint gid = get_global_id(0);
    uint lid = get_local_id(0);
    a[mad24((uint)get_group_id(0), 64u, lid)] = gid;
    b[mul24(gid, 3u)] = gid;
    c[rotate(gid, 5u)] = gid;
    d[mul_hi(gid << 16, 1u << 16)] = gid;
    e[gid * 32 + 31 - clz(gid | 1)] = gid;
    f[clamp((int)lid, 0, 63) + 64 * get_group_id(0)] = gid;
    g[hadd(gid, gid + 1)] = gid;
    h[sub_sat(gid + 5, 5u)] = gid;
}
