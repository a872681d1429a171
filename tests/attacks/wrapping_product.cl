//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The product has 32 bits: every 16th thread comes to the same cell.

__kernel void wrapping_product(__global int *out)
{
    uint index = get_local_id(0) * 0x10000000u;
    out[index >> 28] = get_local_id(0); //~ race
}
