//pass
//--local_size=64 --num_groups=4
// Halves, even and odd components, and pairs in any order are written by threads of their own.

__kernel void component_halves(__global float4 *a, __global float4 *b, __global float8 *c, __global float2 *in)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].lo = in[gid];
        b[gid / 2].odd = in[gid];
        c[gid / 2].s51 = in[gid];
    } else {
        a[gid / 2].hi = in[gid];
        b[gid / 2].even = in[gid];
        c[gid / 2].s0246 = (float4)(in[gid], in[gid]);
    }
}
