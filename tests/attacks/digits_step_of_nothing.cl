//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// A step that may be 0: every round writes the same row, and so does every thread of a column.

__kernel void digits_step_of_nothing(__global int *a, int width, int step, int rounds)
{
    int c = get_global_id(0), r = get_global_id(1) * step;
    if (c < width)
        for (int k = 0; k < rounds; k++) {
            a[r * width + c] = get_global_id(1); //~ race
            r += step;
        }
}
