//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,* --assume 'height <= 65536'
// As digits_strides_of_rows.cl, with strides that are one row too short.

__kernel void digits_strides_too_short(__global int *a, int width, int height)
{
    int c = get_global_id(0), stride = (int)get_global_size(1) - 1;
    for (int r = get_global_id(1); r < height; r += stride)
        if (c < width)
            a[r * width + c] = get_global_id(1); //~ race
}
