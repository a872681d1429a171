//pass
//--local_size=64 --num_groups=4
// Each work-item fills a row of its own.

__kernel void signed_rows_in_loop(__global int *out, int width)
{
    int row = get_global_id(0);
    for (int column = 0; column < width; column++) {
        out[row * width + column] = row;
    }
}
