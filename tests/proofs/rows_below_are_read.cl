//pass
//--local_size=8 --num_groups=1 --assume 'width > 0'
// needs hit-facts
// Rows below the one that is written are read before it, with a barrier for local memory between: what is pending is of this
// iteration, and of a row below.

__kernel void rows_below_are_read(__global int *a, int rows, int width)
{
    __local int partial[8];
    int t = get_local_id(0);
    for (int i = 0; i < rows; i++) {
        int sum = 0;
        for (int k = i + 1 + t; k < rows; k += 8)
            sum += a[k * width];
        partial[t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t == 0) {
            for (int c = 1; c < 8; c++)
                sum += partial[c];
            a[i * width] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
