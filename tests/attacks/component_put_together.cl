//pass
//--local_size=64 --num_groups=4
// A vector is put together from components of others, of which other threads write the rest.

__kernel void component_put_together(__global float4 *a, __global float4 *b, __global float4 *out)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        out[gid] = (float4)(a[gid / 2].x, b[gid / 2].y, a[gid / 2].z, 1);
    } else {
        a[gid / 2].w = gid;
        b[gid / 2].z = gid;
    }
}
