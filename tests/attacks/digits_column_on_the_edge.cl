//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// The last column of a row is the first of the next: a digit that is as large as its radix is none.

__kernel void digits_column_on_the_edge(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c <= width && r < height)
        a[r * width + c] = c + 3 * r; //~ race
}
