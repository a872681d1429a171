//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_through_pointer.cl, but it leads to one that is written.

__kernel void component_through_pointer_defect(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        __global float *p = (__global float *)&a[gid / 2];
        p[3] = gid; //~ race
    } else {
        a[gid / 2].xyw = (float3)(gid); //~ race
    }
}
