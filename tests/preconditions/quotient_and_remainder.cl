//conditional: height > 0
//--local_size=64 --num_groups=*
// contract: height > 0 && width > 0
// undecided elsewhere
// A work-item finds its row and its column by division. Nobody divides by zero, and with a height that is negative rows
// overlap.

__kernel void brighten(__global float *image, int height, int width)
{
    int at = get_global_id(0);
    int row = at % height;
    int column = at / height;
#ifdef DEFECT
    if (column < width)
        image[column * height] += 1.0f;
#else
    if (column < width)
        image[column * height + row] += 1.0f;
#endif
}
