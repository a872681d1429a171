//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Rows of two widths in one array.

__kernel void digits_two_widths(__global int *a, int width, int pitch, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && c < pitch && r < height) {
        if ((r & 1) == 0)
            a[r * width + c] = c; //~ race
        else
            a[r * pitch + c] = r; //~ race
    }
}
