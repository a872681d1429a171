//pass
//--local_size=16,32 --num_groups=*,*
// syrk on the lower triangle, C := alpha A A^T + beta C: tiles above the diagonal are skipped by a bound that depends
// on the tile's row, both operands come from the same array.

__kernel void syrk_kernel0(__global float *C, __global const float *A, float alpha, float beta, int n, int m)
{
    int b0 = get_group_id(1), b1 = get_group_id(0);
    int t0 = get_local_id(1), t1 = get_local_id(0);
    __local float shared_A[32][32];
    __local float shared_A_1[32][32];
    float private_C[2];

    if (b1 <= b0 && 32 * b0 < n) {
        if (n >= 32 * b0 + t0 + 1) {
            for (int c = 0; c < 2; c++) {
                if (32 * b1 + t1 + 16 * c <= 32 * b0 + t0)
                    private_C[c] = beta * C[(32 * b0 + t0) * n + 32 * b1 + t1 + 16 * c]; //~ race rw
            }
        }
        for (int c2 = 0; c2 < m; c2 += 32) {
            if (n >= 32 * b0 + t0 + 1) {
                for (int c4 = t1; c4 <= (31 < m - c2 - 1 ? 31 : m - c2 - 1); c4 += 16)
                    shared_A[t0][c4] = A[(32 * b0 + t0) * m + c2 + c4];
            }
            if (n >= 32 * b1 + t0 + 1) {
                for (int c4 = t1; c4 <= (31 < m - c2 - 1 ? 31 : m - c2 - 1); c4 += 16)
                    shared_A_1[t0][c4] = A[(32 * b1 + t0) * m + c2 + c4];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (n >= 32 * b0 + t0 + 1) {
                for (int c3 = 0; c3 <= (31 < m - c2 - 1 ? 31 : m - c2 - 1); c3 += 1) {
                    private_C[0] += alpha * shared_A[t0][c3] * shared_A_1[t1][c3];
                    private_C[1] += alpha * shared_A[t0][c3] * shared_A_1[t1 + 16][c3];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (n >= 32 * b0 + t0 + 1) {
            for (int c = 0; c < 2; c++) {
#ifndef DEFECT
                if (32 * b1 + t1 + 16 * c <= 32 * b0 + t0)
#endif
                    C[(32 * b0 + t0) * n + 32 * b1 + t1 + 16 * c] = private_C[c]; //~ race rw ww
            }
        }
    }
}
