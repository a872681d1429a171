//pass
//--local_size=64 --num_groups=*
// A sweep of adi along the rows: forward elimination and back substitution in place, a work-item per row.

#ifdef DEFECT
#define FIRST 0
#else
#define FIRST 1
#endif

__kernel void adi_sweep_rows(__global float *X, __global const float *A, __global float *B, int n)
{
    int i1 = get_global_id(0);
    if (i1 < n) {
        for (int i2 = FIRST; i2 < n; i2++) {
            X[i1 * n + i2] -= X[i1 * n + i2 - 1] * A[i1 * n + i2] / B[i1 * n + i2 - 1]; //~ race xx xl xb b
            B[i1 * n + i2] -= A[i1 * n + i2] * A[i1 * n + i2] / B[i1 * n + i2 - 1]; //~ race b bb
        }
        X[i1 * n + n - 1] /= B[i1 * n + n - 1]; //~ race xl
        for (int i2 = 0; i2 < n - 1; i2++) {
            int at = i1 * n + n - i2 - 2;
            X[at] = (X[at] - B[at] * X[at + 1]) / A[at]; //~ race xb
        }
    }
}
