//pass
//--local_size=256 --num_groups=*
// Covariance matrix of centred data: a work-item computes a row of the upper triangle and mirrors it into the lower one.

__kernel void covariance_kernel(__global float *symmat, __global const float *data, int m, int n)
{
    int j1 = get_global_id(0);

    if (j1 < m) {
        for (int j2 = j1; j2 < m; j2++) {
            float sum = 0.0f;
            for (int i = 0; i < n; i++) {
                sum += data[i * m + j1] * data[i * m + j2];
            }
            sum /= (float)(n - 1);
#ifdef DEFECT
            symmat[j2 * m + j2] = sum; //~ race dd dm
#else
            symmat[j1 * m + j2] = sum;
#endif
            symmat[j2 * m + j1] = sum; //~ race dm
        }
    }
}
