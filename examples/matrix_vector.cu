//pass
//--local_size=64 --num_groups=16
// Matrix times vector, a block per row: each thread adds up a strided part of the row, then one
// adds up the partial sums of all.

constexpr unsigned COLUMNS = 500;
constexpr unsigned PARTIAL_SUMS = 64;

__global__ void matrix_vector(const float *matrix, const float *x, float *y)
{
    __shared__ float partial[PARTIAL_SUMS];
    unsigned t = threadIdx.x;
    unsigned row = blockIdx.x;

    float sum = 0.0f;
    for (unsigned column = t; column < COLUMNS; column += blockDim.x) {
        sum = fmaf(matrix[row * COLUMNS + column], x[column], sum);
    }
    partial[t % PARTIAL_SUMS] = sum;
    __syncthreads();

    if (t == 0) {
        float total = 0.0f;
        for (unsigned i = 0; i < PARTIAL_SUMS; i++) {
            total += partial[i];
        }
        y[row] = total;
    }
}
