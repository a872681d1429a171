//pass
//--local_size=16,16 --num_groups=*,* --assume 'width <= 65536 && height <= 65536'
// What is subtracted from an unsigned number of a cell stays above 0 where the guard says so.

__kernel void digits_unsigned_before_the_row(__global uint *a, uint width, uint height)
{
    uint c = get_global_id(0), r = get_global_id(1);
    if (c >= 1 && c < width && r >= 1 && r < height)
        a[r * width + c - 1 - width] = c + 3 * r;
}
