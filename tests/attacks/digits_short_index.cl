//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// An index that is kept in 16 bits.

__kernel void digits_short_index(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height) {
        short index = (short)(r * width + c);
        a[index] = c + 3 * r; //~ race
    }
}
