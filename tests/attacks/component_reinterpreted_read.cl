//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Four components are read, of which three are used.

__kernel void component_reinterpreted_read(__global float4 *a, __global float3 *out)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        out[gid] = as_float3(a[gid / 2]); //~ race
    } else {
        a[gid / 2].w = gid; //~ race
    }
}
