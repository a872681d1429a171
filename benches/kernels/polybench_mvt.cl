//pass
//--local_size=256 --num_groups=*
// mvt, both products in one kernel: x1 := x1 + A y1 and x2 := x2 + A^T y2, the vectors in pieces through local memory.

__kernel void mvt_kernel0(__global const float *A, __global float *x1, __global float *x2, __global const float *y1,
                          __global const float *y2, int n)
{
    int t0 = get_local_id(0);
    int i = get_global_id(0);
    __local float shared_y1[256];
    __local float shared_y2[256];
    float sum1 = i < n ? x1[i] : 0.0f;
    float sum2 = i < n ? x2[i] : 0.0f;

    for (int c0 = 0; c0 < n; c0 += 256) {
        int limit = n - c0 < 256 ? n - c0 : 256;
        if (t0 < limit) {
            shared_y1[t0] = y1[c0 + t0];
#ifdef DEFECT
            shared_y2[t0 % 128] = y2[c0 + t0]; //~ race
#else
            shared_y2[t0] = y2[c0 + t0];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) {
            for (int c1 = 0; c1 < limit; c1++) {
                sum1 += A[i * n + c0 + c1] * shared_y1[c1];
                sum2 += A[(c0 + c1) * n + i] * shared_y2[c1]; //~ uninitialised-read
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) {
        x1[i] = sum1;
        x2[i] = sum2;
    }
}
