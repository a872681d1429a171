// program: LU decomposition without pivoting, three kernels for each step of a diagonal
// defect: lud_diagonal: race: no barrier between the scaling of a column and the update of the rest
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK_SIZE 16

#define CUDA_SAFE(call)                                                                    \
    do {                                                                                   \
        cudaError_t err = call;                                                            \
        if (cudaSuccess != err) {                                                          \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__,        \
                    __LINE__, cudaGetErrorString(err));                                    \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__global__ void lud_diagonal(float *m, int dim, int offset)
{
    __shared__ float tile[BLOCK_SIZE][BLOCK_SIZE];
    const int tid = threadIdx.x;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        tile[i][tid] = m[(offset + i) * dim + offset + tid];
    }
    __syncthreads();
    for (int k = 0; k < BLOCK_SIZE - 1; k++) {
        if (tid > k) {
            tile[tid][k] /= tile[k][k]; //~ race
        }
#ifndef DEFECT
        __syncthreads();
#endif
        if (tid > k) {
            for (int i = k + 1; i < BLOCK_SIZE; i++) {
                tile[i][tid] -= tile[i][k] * tile[k][tid]; //~ race
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < BLOCK_SIZE; i++) {
        m[(offset + i) * dim + offset + tid] = tile[i][tid];
    }
}

/* The first half of the threads has a tile of the row, the second half one of the column. */
__global__ void lud_perimeter(float *m, int dim, int offset)
{
    __shared__ float diagonal[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float row[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float column[BLOCK_SIZE][BLOCK_SIZE];
    const int other = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    const int idx = threadIdx.x % BLOCK_SIZE;
    if (threadIdx.x < BLOCK_SIZE) {
        for (int i = 0; i < BLOCK_SIZE / 2; i++) {
            diagonal[i][idx] = m[(offset + i) * dim + offset + idx];
        }
        for (int i = 0; i < BLOCK_SIZE; i++) {
            row[i][idx] = m[(offset + i) * dim + other + idx];
        }
    } else {
        for (int i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++) {
            diagonal[i][idx] = m[(offset + i) * dim + offset + idx];
        }
        for (int i = 0; i < BLOCK_SIZE; i++) {
            column[i][idx] = m[(other + i) * dim + offset + idx];
        }
    }
    __syncthreads();
    if (threadIdx.x < BLOCK_SIZE) {
        for (int i = 1; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++) {
                row[i][idx] -= diagonal[i][j] * row[j][idx];
            }
        }
    } else {
        for (int i = 0; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++) {
                column[idx][i] -= column[idx][j] * diagonal[j][i];
            }
            column[idx][i] /= diagonal[i][i];
        }
    }
    __syncthreads();
    if (threadIdx.x < BLOCK_SIZE) {
        for (int i = 1; i < BLOCK_SIZE; i++) {
            m[(offset + i) * dim + other + idx] = row[i][idx];
        }
    } else {
        for (int i = 0; i < BLOCK_SIZE; i++) {
            m[(other + i) * dim + offset + idx] = column[i][idx];
        }
    }
}

__global__ void lud_internal(float *m, int dim, int offset)
{
    __shared__ float row[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float column[BLOCK_SIZE][BLOCK_SIZE];
    const int global_row = offset + (blockIdx.y + 1) * BLOCK_SIZE;
    const int global_column = offset + (blockIdx.x + 1) * BLOCK_SIZE;
    row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * dim + global_column + threadIdx.x];
    column[threadIdx.y][threadIdx.x] = m[(global_row + threadIdx.y) * dim + offset + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        sum += column[threadIdx.y][i] * row[i][threadIdx.x];
    }
    m[(global_row + threadIdx.y) * dim + global_column + threadIdx.x] -= sum;
}

static void lud_cuda(float *m, int dim)
{
    const dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    int i;
    for (i = 0; i < dim - BLOCK_SIZE; i += BLOCK_SIZE) {
        lud_diagonal<<<1, BLOCK_SIZE>>>(m, dim, i);
        lud_perimeter<<<(dim - i) / BLOCK_SIZE - 1, BLOCK_SIZE * 2>>>(m, dim, i);
        const dim3 grid((dim - i) / BLOCK_SIZE - 1, (dim - i) / BLOCK_SIZE - 1);
        lud_internal<<<grid, block>>>(m, dim, i);
    }
    lud_diagonal<<<1, BLOCK_SIZE>>>(m, dim, i);
}

int main(int argc, char *argv[])
{
    const int dim = argc > 1 ? atoi(argv[1]) : 256;
    if (dim < BLOCK_SIZE || dim % BLOCK_SIZE != 0 || dim > 8192) {
        fprintf(stderr, "usage: %s [dim], a multiple of %d\n", argv[0], BLOCK_SIZE);
        return EXIT_FAILURE;
    }
    std::vector<float> a(dim * dim), lu(dim * dim);
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            a[i * dim + j] = i == j ? 2.0f * dim : 1.0f / (1 + abs(i - j));
        }
    }
    float *m;
    CUDA_SAFE(cudaMalloc((void **)&m, a.size() * sizeof(float)));
    CUDA_SAFE(cudaMemcpy(m, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
    lud_cuda(m, dim);
    CUDA_SAFE(cudaGetLastError());
    CUDA_SAFE(cudaMemcpy(lu.data(), m, lu.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++) {
                sum += (k == i ? 1.0 : lu[i * dim + k]) * lu[k * dim + j];
            }
            worst = fmax(worst, fabs(sum - a[i * dim + j]));
        }
    }
    printf("worst error %g\n", worst);
    CUDA_SAFE(cudaFree(m));
    return worst < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
