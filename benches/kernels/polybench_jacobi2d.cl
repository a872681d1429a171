//pass
//--local_size=32,4 --num_groups=*,*
// jacobi2d as a polyhedral compiler emits it: a tile with its halo goes to local memory in a strided loop of two dimensions,
// then each work-item computes rows of the tile.

__kernel void jacobi2d_kernel0(__global const float *A, __global float *B, int n)
{
    int b0 = get_group_id(1), b1 = get_group_id(0);
    int t0 = get_local_id(1), t1 = get_local_id(0);
    __local float shared_A[34][34];

    for (int c2 = t0; c2 <= (33 < n - 32 * b0 - 1 ? 33 : n - 32 * b0 - 1); c2 += 4) {
        for (int c3 = t1; c3 <= (33 < n - 32 * b1 - 1 ? 33 : n - 32 * b1 - 1); c3 += 32) {
            shared_A[c2][c3] = A[(32 * b0 + c2) * n + 32 * b1 + c3]; //~ race a b c d e
        }
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (n >= 32 * b1 + t1 + 3) {
        for (int c2 = t0; c2 <= (31 < n - 32 * b0 - 3 ? 31 : n - 32 * b0 - 3); c2 += 4) {
            B[(32 * b0 + c2 + 1) * n + 32 * b1 + t1 + 1] =
                0.2f * (shared_A[c2 + 1][t1 + 1] + //~ race a
                        shared_A[c2 + 1][t1] + //~ race b
                        shared_A[c2 + 1][t1 + 2] + //~ race c
                        shared_A[c2 + 2][t1 + 1] + //~ race d
                        shared_A[c2][t1 + 1]); //~ race e
        }
    }
}
