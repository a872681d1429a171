//pass
//--local_size=16,16 --num_groups=*,*
// As digits_column_on_the_edge.cl, within the row.

__kernel void digits_column_within(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height)
        a[r * width + c] = c + 3 * r;
}
