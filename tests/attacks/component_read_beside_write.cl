//pass
//--local_size=64 --num_groups=4
// One thread reads a component while another writes the one beside it.

__kernel void component_read_beside_write(__global float4 *a, __global float *out)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].x = gid;
    } else {
        out[gid] = a[gid / 2].y + a[gid / 2].zw.x;
    }
}
