//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// A diagonal of rows and a column that crosses it.

__kernel void digits_diagonal(__global int *a, int width)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < width && r == 0)
        a[c * width + c] = 1; //~ race
    else if (c == 3 && r < width && width > 3)
        a[r * width + c] = 2; //~ race
}
