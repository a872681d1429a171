//pass
//--local_size=16,16 --num_groups=*,* --assume 'width <= 65536 && height <= 65536'
// As digits_unsigned_one_row_too_many.cl, with as many rows as there are numbers.

__kernel void digits_unsigned_within(__global uint *a, uint width, uint height)
{
    uint c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height)
        a[r * width + c] = c + 3 * r;
}
