//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The index is cut to a byte: work-items 256 apart meet.

__kernel void truncated_index(__global uint *out)
{
    uchar index = get_global_id(0);
    out[index] = get_global_id(0); //~ race
}
