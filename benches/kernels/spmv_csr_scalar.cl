//pass
//--local_size=* --num_groups=* --assume 'dim >= 0'
// Sparse matrix times vector, compressed rows, a row to each work-item.

__kernel void spmv_csr_scalar(__global const float *restrict val, __global const float *restrict vec,
                              __global const int *restrict cols, __global const int *restrict row_delimiters, int dim,
                              __global float *restrict out)
{
    int my_row = get_global_id(0);
#ifdef DEFECT
    out[dim - 1] = 0.0f; //~ race
#endif
    if (my_row < dim) {
        float t = 0;
        int start = row_delimiters[my_row];
        int end = row_delimiters[my_row + 1];
        for (int j = start; j < end; j++) {
            int col = cols[j];
            t += val[j] * vec[col];
        }
        out[my_row] = t; //~ race
    }
}
