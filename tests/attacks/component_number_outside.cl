//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// There is no component with this number, so that nobody knows which of them is written.

__kernel void component_number_outside(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2][7] = gid; //~ race
    } else {
        a[gid / 2].y = gid; //~ race
    }
}
