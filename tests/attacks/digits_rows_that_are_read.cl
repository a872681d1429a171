//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Rows come out of memory, the same for several threads.

__kernel void digits_rows_that_are_read(__global int *a, __global const int *row, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height)
        a[row[r] * width + c] = r; //~ race
}
