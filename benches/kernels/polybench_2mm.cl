//pass
//--local_size=16,16 --num_groups=128,128
// First product of 2mm with constant sizes (2048): each group one tile of 16 by 16, three barriers of a polyhedral
// compiler, the copy-in unrolled once by hand.

#define NI 2048
#define NJ 2048
#define NK 2048

__kernel void mm2_kernel0(__global float *tmp, __global const float *A, __global const float *B, float alpha)
{
    int b0 = get_group_id(1), b1 = get_group_id(0);
    int t0 = get_local_id(1), t1 = get_local_id(0);
    __local float shared_A_0[16][32];
    __local float shared_B_0[32][16];
    float private_tmp_0[1][1];

    private_tmp_0[0][0] = 0.0f;
    for (int c2 = 0; c2 < NK; c2 += 32) {
        shared_A_0[t0][t1] = A[(16 * b0 + t0) * NK + c2 + t1];
        shared_A_0[t0][t1 + 16] = A[(16 * b0 + t0) * NK + c2 + t1 + 16];
#ifdef DEFECT
        shared_B_0[t1][t0] = B[(c2 + t0) * NJ + 16 * b1 + t1]; //~ race
        shared_B_0[t1 + 8][t0] = B[(c2 + t0 + 16) * NJ + 16 * b1 + t1]; //~ race
#else
        shared_B_0[t0][t1] = B[(c2 + t0) * NJ + 16 * b1 + t1];
        shared_B_0[t0 + 16][t1] = B[(c2 + t0 + 16) * NJ + 16 * b1 + t1];
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c3 = 0; c3 <= 31; c3 += 1) {
            private_tmp_0[0][0] += alpha * shared_A_0[t0][c3] * shared_B_0[c3][t1]; //~ uninitialised-read
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    tmp[(16 * b0 + t0) * NJ + 16 * b1 + t1] = private_tmp_0[0][0];
}
