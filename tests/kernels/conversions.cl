//pass
//--local_size=64 --num_groups=16
// Bits and values survive the conversions: as_ there and back, convert_ within its range.

__kernel void conversions(__global uint *a, __global uint *b, __global uint *c)
{
    uint gid = get_global_id(0);
    float bits = as_float(gid);
    a[as_uint(bits)] = gid;
    b[64 * get_group_id(0) + convert_uchar_sat(get_local_id(0))] = gid;
    uchar4 bytes = as_uchar4(gid);
    c[bytes.x | (bytes.y << 8)] = gid;
}
