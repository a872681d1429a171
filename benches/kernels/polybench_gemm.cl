//pass
//--local_size=16,32 --num_groups=*,* --assume "get_num_groups(0) <= 256 && get_num_groups(1) <= 256"
// gemm as a polyhedral compiler emits it: tiles of 32 by 32, each work-item two columns of C, the three tile loops
// strided over the grid with constant trip counts, bounds as ternaries.

__kernel void gemm_kernel0(__global float *C, __global const float *A, __global const float *B, float alpha, float beta,
                           int ni, int nj, int nk)
{
    int b0 = get_group_id(1), b1 = get_group_id(0);
    int t0 = get_local_id(1), t1 = get_local_id(0);
    __local float shared_A[32][32];
    __local float shared_B[32][32];
    float private_C[1][2];

    for (int c0 = 32 * b0; c0 < ni; c0 += 8192) {
        for (int c1 = 32 * b1; c1 < nj; c1 += 8192) {
            if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1) {
                private_C[0][0] = C[(t0 + c0) * nj + (t1 + c1)] * beta;
                if (nj >= t1 + c1 + 17) {
                    private_C[0][1] = C[(t0 + c0) * nj + (t1 + c1 + 16)] * beta;
                }
            }
            for (int c2 = 0; c2 < nk; c2 += 32) {
                if (ni >= t0 + c0 + 1) {
                    for (int c4 = t1; c4 <= (31 < nk - c2 - 1 ? 31 : nk - c2 - 1); c4 += 16) {
                        shared_A[t0][c4] = A[(t0 + c0) * nk + (c2 + c4)]; //~ race a1 a2
                    }
                }
                if (nk >= t0 + c2 + 1) {
                    for (int c4 = t1; c4 <= (31 < nj - c1 - 1 ? 31 : nj - c1 - 1); c4 += 16) {
                        shared_B[t0][c4] = B[(t0 + c2) * nj + (c1 + c4)]; //~ race b1 b2
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1) {
                    for (int c3 = 0; c3 <= (31 < nk - c2 - 1 ? 31 : nk - c2 - 1); c3 += 1) {
                        private_C[0][0] += alpha * shared_A[t0][c3] * shared_B[c3][t1]; //~ race a1 b1
                        if (nj >= t1 + c1 + 17) {
                            private_C[0][1] += alpha * shared_A[t0][c3] * shared_B[c3][t1 + 16]; //~ race a2 b2
                        }
                    }
                }
#ifndef DEFECT
                barrier(CLK_LOCAL_MEM_FENCE);
#endif
            }
            if (ni >= t0 + c0 + 1 && nj >= t1 + c1 + 1) {
                C[(t0 + c0) * nj + (t1 + c1)] = private_C[0][0];
                if (nj >= t1 + c1 + 17) {
                    C[(t0 + c0) * nj + (t1 + c1 + 16)] = private_C[0][1];
                }
            }
        }
    }
}
