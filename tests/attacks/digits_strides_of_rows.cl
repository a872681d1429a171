//pass
//--local_size=16,16 --num_groups=*,* --assume 'height <= 65536'
// Rows in strides of the grid, as digits_step_left_out.cl without the way that leaves the step out.

__kernel void digits_strides_of_rows(__global int *a, int width, int height)
{
    int c = get_global_id(0), stride = get_global_size(1);
    for (int r = get_global_id(1); r < height; r += stride)
        if (c < width)
            a[r * width + c] = get_global_id(1);
}
