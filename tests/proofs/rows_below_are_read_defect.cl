//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1 --assume 'width > 0'
// As rows_below_are_read.cl, but the last thread reads the row itself, too, which the first one writes.

__kernel void rows_below_are_read_defect(__global int *a, int rows, int width)
{
    __local int partial[8];
    int t = get_local_id(0);
    for (int i = 0; i < rows; i++) {
        int sum = 0;
        for (int k = i + 7 - t; k < rows; k += 8)
            sum += a[k * width]; //~ race
        partial[t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0) {
            for (int c = 1; c < 8; c++)
                sum += partial[c];
            a[i * width] = sum; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
