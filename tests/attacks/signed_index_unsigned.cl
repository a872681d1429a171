//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=4,4
// As signed_index.cl, but unsigned arithmetic wraps around: with a width of 0x80000000 every other row is the same.

__kernel void signed_index_unsigned(__global uint *out, uint width, uint height)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        out[y * width + x] = y; //~? race
    }
}
