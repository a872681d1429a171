//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Two cells are written, of which the second of a row's last is in the next row.

__kernel void digits_wide_store(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height) {
        if ((c & 1) == 0)
            vstore2((int2)(c, r), 0, a + r * width + c); //~? race
        else
            a[r * width + 1 - width] = r; //~? race
    }
}
