//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Neighbours share a byte, and write different values to it.

__kernel void vector_overlap_value_differs(__global uchar *out)
{
    vstore4((uchar4)(1, 2, 3, 4), 0, out + 3 * get_local_id(0)); //~ race
}
