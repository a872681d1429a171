//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_halves.cl, but the second half and the odd components share one.

__kernel void component_halves_defect(__global float4 *a, __global float2 *in)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].odd = in[gid]; //~ race
    } else {
        a[gid / 2].hi = in[gid]; //~ race
    }
}
