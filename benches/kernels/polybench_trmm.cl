//pass
//--local_size=32,8 --num_groups=*
// trmm, B := alpha A^T B with A unit lower triangular: a group owns 32 columns of B and walks down the rows in place; rows
// below are read, the row itself is written, with a barrier between.

__kernel void trmm_kernel0(__global const float *A, __global float *B, float alpha, int m, int n)
{
    __local float partial[8][32];
    int t0 = get_local_id(1), t1 = get_local_id(0);
    int j = 32 * get_group_id(0) + t1;

    for (int i = 0; i < m; i++) {
        float sum = 0.0f;
        if (j < n) {
            for (int k = i + 1 + t0; k < m; k += 8) {
                sum += A[k * m + i] * B[k * n + j]; //~ race b
            }
        }
        partial[t0][t1] = sum; //~ race p
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t0 == 0 && j < n) {
            for (int c = 1; c < 8; c++) {
                sum += partial[c][t1]; //~ race p
            }
            B[i * n + j] = alpha * (B[i * n + j] + sum); //~ race b
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
    }
}
