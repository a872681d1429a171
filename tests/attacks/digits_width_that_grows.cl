//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A width that changes from round to round is no radix.

__kernel void digits_width_that_grows(__global int *a, int width, int rounds)
{
    int c = get_local_id(0);
    for (int r = 0; r < rounds; r++) {
        if (c < width)
            a[(r + 1) * width + c] = c + r; //~ race
        width -= 1;
    }
}
