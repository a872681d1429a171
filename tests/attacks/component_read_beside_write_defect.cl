//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_read_beside_write.cl, but the component that is read is the one that is written.

__kernel void component_read_beside_write_defect(__global float4 *a, __global float *out)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].z = gid; //~ race
    } else {
        out[gid] = a[gid / 2].zw.x; //~ race
    }
}
