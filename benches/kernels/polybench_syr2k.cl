//pass
//--local_size=32,8 --num_groups=*,*
// syr2k, C := alpha A B^T + alpha B A^T + beta C: four tiles in local memory, four rows of C per work-item, copy loops
// with the group's height as their step.

__kernel void syr2k_kernel0(__global float *C, __global const float *A, __global const float *B, float alpha, float beta,
                            int n, int m)
{
    int t0 = get_local_id(1), t1 = get_local_id(0);
    int row = 32 * get_group_id(1), col = 32 * get_group_id(0);
    __local float A_row[32][33], A_col[32][33], B_row[32][33], B_col[32][33];
    float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int c2 = 0; c2 < m; c2 += 32) {
        for (int c3 = t0; c3 < 32; c3 += 8) {
            int in_row = row + c3 < n && c2 + t1 < m;
            int in_col = col + c3 < n && c2 + t1 < m;
            A_row[c3][t1] = in_row ? A[(row + c3) * m + c2 + t1] : 0.0f;
            B_row[c3][t1] = in_row ? B[(row + c3) * m + c2 + t1] : 0.0f;
            A_col[c3][t1] = in_col ? A[(col + c3) * m + c2 + t1] : 0.0f;
#ifdef DEFECT
            B_col[t1][t1] = in_col ? B[(col + c3) * m + c2 + t1] : 0.0f; //~ race
#else
            B_col[c3][t1] = in_col ? B[(col + c3) * m + c2 + t1] : 0.0f;
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c3 = 0; c3 < 32; c3++) {
            for (int r = 0; r < 4; r++) {
                acc[r] += A_row[t0 + 8 * r][c3] * B_col[t1][c3] + B_row[t0 + 8 * r][c3] * A_col[t1][c3];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 4; r++) {
        if (row + t0 + 8 * r < n && col + t1 < n) {
            int c = (row + t0 + 8 * r) * n + col + t1;
            C[c] = alpha * acc[r] + beta * C[c];
        }
    }
}
