//pass
//--local_size=64 --num_groups=4
// Components of one byte each.

__kernel void component_bytes(__global uchar4 *a)
{
    uint gid = get_global_id(0);
    switch (gid & 3) {
    case 0: a[gid / 4].x++; break;
    case 1: a[gid / 4].y++; break;
    case 2: a[gid / 4].z++; break;
    default: a[gid / 4].w++; break;
    }
}
