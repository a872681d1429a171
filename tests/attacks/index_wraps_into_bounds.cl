//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Four times the index wraps around to an offset inside the array; the index does not lie in it.

__kernel void index_wraps_into_bounds(__global int *out, ulong big)
{
    __local int a[64];
    a[get_local_id(0) + (big << 61)] = 1; //~ out-of-bounds
}
