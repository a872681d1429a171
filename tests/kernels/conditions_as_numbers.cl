//pass
//--local_size=[16,16] --num_groups=[4,4]
// Comparisons are numbers in C, and kernels avoid branches by computing with them.

__kernel void conditions_as_numbers(__global int *out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    __assert(((x < width) ^ (x >= width)) != 0);
    __assert(((x < width) & (x >= width)) == 0);
    __assert(((x < width) | (x >= width)) == 1);
    if (((x < width) & (y < height)) != 0) {
        out[y * width + x] = y;
    }
    __assert((((x < width) ^ (y < height)) == 0) == ((x < width) == (y < height)));
}
