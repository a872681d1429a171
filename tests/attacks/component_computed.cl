//pass
//--local_size=64 --num_groups=4
// The number of the component is computed: four threads share a vector.

__kernel void component_computed(__global float4 *a, __global float *out)
{
    uint gid = get_global_id(0);
    a[gid / 4][gid & 3] = gid;
    out[gid] = a[gid / 4][gid & 3];
}
