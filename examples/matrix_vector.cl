//pass
//--local_size=64 --num_groups=16
// Matrix times vector, a group per row: each work-item adds up a strided part of the row, then
// one adds up the partial sums of all.

#define COLUMNS 500
#define PARTIAL_SUMS 64

__kernel void matrix_vector(__global const float *matrix, __global const float *x, __global float *y)
{
    __local float partial[PARTIAL_SUMS];
    uint lid = get_local_id(0);
    uint row = get_group_id(0);

    float sum = 0.0f;
    for (uint column = lid; column < COLUMNS; column += get_local_size(0)) {
        sum += matrix[row * COLUMNS + column] * x[column];
    }
    partial[lid % PARTIAL_SUMS] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (lid == 0) {
        float total = 0.0f;
        for (uint i = 0; i < PARTIAL_SUMS; i++) {
            total += partial[i];
        }
        y[row] = total;
    }
}
