//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,* --assume 'width <= 65536 && height <= 65536'
// Numbers from 2^31 on are negative as ints. With 2^31 added to these they come to lie on the others.

__kernel void digits_unsigned_as_signed(__global uint *a, uint width, uint height)
{
    uint c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height) {
        int cell = (int)(r * width + c);
        a[cell + (cell < 0 ? 2147483648L : 0L)] = c + 3 * r; //~ race
    }
}
