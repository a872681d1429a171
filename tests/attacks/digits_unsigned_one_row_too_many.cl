//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,* --assume 'width <= 65536 && height <= 65537'
// The first cell of row 65536 has the number 2^32, which is 0.

__kernel void digits_unsigned_one_row_too_many(__global uint *a, uint width, uint height)
{
    uint c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height)
        a[r * width + c] = c + 3 * r; //~ race
}
