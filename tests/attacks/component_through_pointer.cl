//pass
//--local_size=64 --num_groups=4
// A pointer to a component leads to one of its own.

__kernel void component_through_pointer(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        __global float *p = (__global float *)&a[gid / 2];
        p[2] = gid;
    } else {
        a[gid / 2].xyw = (float3)(gid);
    }
}
