//pass
//--local_size=32 --num_groups=*
// First step of bicg, s := r A, with a grid that strides over the columns and tiles of A in local memory, although
// nothing there is reused, as a polyhedral compiler does for coalescing.

__kernel void bicg_kernel0(__global const float *A, __global const float *p, __global float *q, int nx, int ny)
{
    int b0 = get_group_id(0), g0 = get_num_groups(0);
    int t0 = get_local_id(0);
    __local float shared_A[32][33];
    __local float shared_p[32];
    float private_q;

    for (int c0 = 32 * b0; c0 < nx; c0 += 32 * g0) {
        private_q = 0.0f;
        for (int c1 = 0; c1 < ny; c1 += 32) {
            if (ny >= t0 + c1 + 1) {
                for (int c2 = 0; c2 <= (31 < nx - c0 - 1 ? 31 : nx - c0 - 1); c2 += 1) {
                    shared_A[c2][t0] = A[(c0 + c2) * ny + (t0 + c1)]; //~ race a
                }
                shared_p[t0] = p[t0 + c1]; //~ race p
            }
#ifdef DEFECT
            mem_fence(CLK_LOCAL_MEM_FENCE);
#else
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
            if (nx >= t0 + c0 + 1) {
                for (int c3 = 0; c3 <= (31 < ny - c1 - 1 ? 31 : ny - c1 - 1); c3 += 1) {
                    private_q += shared_A[t0][c3] * shared_p[c3]; //~ race a p
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (nx >= t0 + c0 + 1) {
            q[t0 + c0] = private_q;
        }
    }
}
