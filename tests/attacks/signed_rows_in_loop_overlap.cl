//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As signed_rows_in_loop.cl, with a row one longer than the distance between rows.

__kernel void signed_rows_in_loop_overlap(__global int *out, int width)
{
    int row = get_global_id(0);
    for (int column = 0; column <= width; column++) {
        out[row * width + column] = row; //~ race
    }
}
