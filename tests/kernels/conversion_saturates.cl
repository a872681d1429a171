//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// convert_uchar_sat makes 255 of everything above.

__kernel void saturates(__global uint *a)
{
    uint gid = get_global_id(0);
    a[convert_uchar_sat(gid)] = gid; //~ race
}
