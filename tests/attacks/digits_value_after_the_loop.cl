//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What a loop has come to is no closed form of its counter any more.

__kernel void digits_value_after_the_loop(__global int *a, int width, int step, int rounds)
{
    int c = get_local_id(0), r = 0;
    if (step < 1 || c >= width)
        return;
    for (int k = 0; k < rounds + c; k++)
        r += step;
    a[r * width] = c; //~ race
}
