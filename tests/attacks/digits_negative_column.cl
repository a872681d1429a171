//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// One column to the left of the first is the last of the row before.

__kernel void digits_negative_column(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height) {
        int left = a[r * width + c - 1]; //~ race
        a[r * width + c] = left + 1; //~ race
    }
}
