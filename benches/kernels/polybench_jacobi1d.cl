//pass
//--local_size=256 --num_groups=1
// jacobi1d by one group with the whole line in local memory: two arrays take turns, two barriers per step of time, each
// work-item strides over the line.

#define N 2048

__kernel void jacobi1d(__global float *A, __global float *B, int tsteps)
{
    __local float a[N];
    __local float b[N];
    int lid = get_local_id(0);
    for (int i = lid; i < N; i += 256) {
        a[i] = A[i];
        b[i] = B[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < tsteps; t++) {
        for (int i = lid + 1; i < N - 1; i += 256)
            b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]); //~ race
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (int i = lid + 1; i < N - 1; i += 256)
            a[i] = 0.33333f * (b[i - 1] + b[i] + b[i + 1]); //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = lid; i < N; i += 256) {
        A[i] = a[i];
        B[i] = b[i];
    }
}
