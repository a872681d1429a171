//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_bytes.cl, but two of them are one.

__kernel void component_bytes_defect(__global uchar4 *a)
{
    uint gid = get_global_id(0);
    switch (gid & 3) {
    case 0: a[gid / 4].x++; break;
    case 1: a[gid / 4].y++; break; //~ race
    case 2: a[gid / 4].y++; break; //~ race
    default: a[gid / 4].w++; break;
    }
}
