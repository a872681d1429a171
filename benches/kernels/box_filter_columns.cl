//pass
//--local_size=* --num_groups=* --assume 'radius >= 0 && radius < 512 && 2 * radius < height && height <= 16384 && width > 0 && width <= 16384'
// Box filter along columns with a sliding window: a work-item walks down its column, adds the pixel that enters the window and
// takes away the one that leaves it; borders are clamped.

__kernel void box_columns(__global const uint *source, __global uint *dest, uint width, uint height, int radius, float scale)
{
    size_t x = get_global_id(0);
#ifdef DEFECT
    if (x > width)
        return;
#else
    if (x >= width)
        return;
#endif
    __global const uint *in = source + x;
    __global uint *out = dest + x;

    float sum = in[0] * (float)radius;
    for (int y = 0; y < radius + 1; y++)
        sum += in[min((uint)y, height - 1) * width];
    out[0] = sum * scale; //~ race a ac ad
    for (int y = 1; y < radius + 1; y++) {
        sum += in[min((uint)(y + radius), height - 1) * width];
        sum -= in[0];
        out[y * width] = sum * scale; //~ race a b bc bd
    }
    for (int y = radius + 1; y < (int)height - radius; y++) {
        sum += in[(y + radius) * width];
        sum -= in[((y - radius) * width) - width];
        out[y * width] = sum * scale; //~ race bc c cd ac
    }
    for (int y = (int)height - radius; y < (int)height; y++) {
        sum += in[(height - 1) * width];
        sum -= in[((y - radius) * width) - width];
        out[y * width] = sum * scale; //~ race cd d ad bd
    }
}
