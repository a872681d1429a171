//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The rounds of the first loop are those of no later one.

__kernel void digits_counter_of_another_loop(__global int *a, int width, int step, int rounds)
{
    int c = get_local_id(0), r = c;
    if (step < 1 || width < 1)
        return;
    for (int k = 0; k < c; k++)
        r += step;
    for (int k = 0; k < rounds; k++) {
        a[r * width] = c; //~? race
        r -= step;
    }
}
