//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=4,4
// As rows_of_24_bits.cl, but the last element of a row is the first of the next.

__kernel void rows_of_24_bits_too_short(__global float4 *image, int width)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x <= width) {
        image[mad24(y, width, x)].w = x; //~ race
    }
}
