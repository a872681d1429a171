//xfail:NOT_ALL_VERIFIED
//--local_size=16,33 --num_groups=*,*
// Tiles of 33 rows in steps of 32.

__kernel void digits_tiles_that_overlap(__global int *a, int width, int height)
{
    int c = 16 * get_group_id(0) + get_local_id(0), r = 32 * (int)get_group_id(1) + get_local_id(1);
    if (c < width && r < height)
        a[r * width + c] = get_group_id(1); //~ race
}
