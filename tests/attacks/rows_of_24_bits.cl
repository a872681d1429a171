//pass
//--local_size=16,16 --num_groups=4,4
// mad24 is given numbers of 24 bits: a row is too short for rows of later work-items to wrap around into it.

__kernel void rows_of_24_bits(__global float4 *image, int width)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x < width) {
        image[mad24(y, width, x)].w = x;
    }
}
