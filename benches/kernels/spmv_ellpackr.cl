//pass
//--local_size=128 --num_groups=* --assume 'dim >= 0'
// Sparse matrix times vector, padded columns and the length of every row.

__kernel void spmv_ellpackr(__global const float *restrict val, __global const float *restrict vec,
                            __global const int *restrict cols, __global const int *restrict row_lengths, int dim,
                            __global float *restrict out)
{
    int t = get_global_id(0);
#ifdef DEFECT
    if (t < dim + 1) {
#else
    if (t < dim) {
#endif
        float result = 0.0f;
        int max = row_lengths[t];
        for (int i = 0; i < max; i++) {
            int ind = i * dim + t;
            result += val[ind] * vec[cols[ind]];
        }
#ifdef DEFECT
        out[min(t, dim - 1)] = result; //~ race
#else
        out[t] = result;
#endif
    }
}
