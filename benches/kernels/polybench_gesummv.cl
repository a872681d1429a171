//pass
//--local_size=64 --num_groups=*
// gesummv, y := alpha A x + beta B x: two matrices share a vector in local memory; copy loops run over a constant
// piece of 256 in steps of the group size.

#define PIECE 256

__kernel void gesummv_kernel0(__global const float *A, __global const float *B, __global const float *x, __global float *y,
                              float alpha, float beta, int n)
{
    int t0 = get_local_id(0);
    int c0 = get_group_id(0) * 64 + t0;
    __local float shared_x[PIECE];
    float private_tmp = 0.0f, private_y = 0.0f;

    for (int c1 = 0; c1 < n; c1 += PIECE) {
        for (int c2 = t0; c2 < (PIECE < n - c1 ? PIECE : n - c1); c2 += 64) {
            shared_x[c2] = x[c1 + c2]; //~ race a b
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c0 < n) {
            for (int c2 = 0; c2 < (PIECE < n - c1 ? PIECE : n - c1); c2++) {
                private_tmp += A[c0 * n + c1 + c2] * shared_x[c2]; //~ race a
                private_y += B[c0 * n + c1 + c2] * shared_x[c2]; //~ race b
            }
        }
#ifdef DEFECT
        if (c1 + 2 * PIECE < n)
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (c0 < n) {
        y[c0] = alpha * private_tmp + beta * private_y;
    }
}
