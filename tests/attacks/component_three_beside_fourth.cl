//pass
//--local_size=64 --num_groups=4
// The first three components of four are read and written without the fourth.

__kernel void component_three_beside_fourth(__global float4 *a, __global float3 *in, __global float3 *out)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].w = gid;
    } else {
        a[gid / 2].xyz = in[gid];
        out[gid] = a[gid / 2].xyz;
    }
}
