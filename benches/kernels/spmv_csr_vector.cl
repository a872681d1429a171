//pass
//--local_size=128 --num_groups=* --assume 'dim >= 0 && dim <= 0x10000000'
// Sparse matrix times vector, compressed rows, 32 work-items to each row, whose sums are added up in local
// memory.

#define VECTOR_SIZE 32

__kernel void spmv_csr_vector(__global const float *restrict val, __global const float *restrict vec,
                              __global const int *restrict cols, __global const int *restrict row_delimiters, int dim,
                              __global float *restrict out)
{
    __local float partial_sums[128];
    int t = get_local_id(0);
    int id = t & (VECTOR_SIZE - 1);
    int vecs_per_block = get_local_size(0) / VECTOR_SIZE;
    int my_row = get_group_id(0) * vecs_per_block + t / VECTOR_SIZE;

    float my_sum = 0;
    if (my_row < dim) {
        int vec_start = row_delimiters[my_row];
        int vec_end = row_delimiters[my_row + 1];
        for (int j = vec_start + id; j < vec_end; j += VECTOR_SIZE) {
            int col = cols[j];
            my_sum += val[j] * vec[col];
        }
    }
    partial_sums[t] = my_sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int bound = VECTOR_SIZE / 2; bound > 0; bound >>= 1) {
        if (id < bound) {
            partial_sums[t] += partial_sums[t + bound]; //~ race step
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (id == 0 && my_row < dim) {
        out[my_row] = partial_sums[t];
    }
}
