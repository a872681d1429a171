//pass
//--local_size=16,8 --num_groups=*,* --assume 'lda > 0 && ldb > 0 && ldc > 0 && ldc >= 128 * get_num_groups(0)'
// sgemm, A column-major times B transposed: groups of 128 work-items, each with a column of sixteen results in registers, and a
// tile of B in local memory; pointers walk along the matrices.

#define TILE_N 16
#define TILE_TB_HEIGHT 8
#define TILE_M (TILE_N * TILE_TB_HEIGHT)

__kernel void sgemm_nt(__global const float *A, int lda, __global const float *B, int ldb, __global float *C, int ldc, int k,
                       float alpha, float beta)
{
    float c[TILE_N];
    __local float b_s[TILE_TB_HEIGHT][TILE_N];
    int lx = get_local_id(0), ly = get_local_id(1);
    int mid = ly * TILE_N + lx;
    int m = get_group_id(0) * TILE_M + mid;
    int first_n = get_group_id(1) * TILE_N;
    int n = first_n + lx;

    for (int i = 0; i < TILE_N; i++)
        c[i] = 0.0f;

    for (int i = 0; i < k; i += TILE_TB_HEIGHT) {
        b_s[ly][lx] = B[n + (i + ly) * ldb]; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < TILE_TB_HEIGHT; j++) {
            float a = A[m + (i + j) * lda];
            for (int kk = 0; kk < TILE_N; kk++)
                c[kk] += a * b_s[j][kk]; //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    int t = ldc * first_n + m;
    for (int i = 0; i < TILE_N; i++) {
        C[t + i * ldc] = C[t + i * ldc] * beta + alpha * c[i];
    }
}
