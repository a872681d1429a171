// program: sparse matrix times vector in CSR form, a thread or a warp a row, power iteration
// defect: spmv_scalar: bounds: the offsets have no cell for the end of the last row
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDA(x)                                                                             \
    do {                                                                                    \
        cudaError_t err = (x);                                                              \
        if (err != cudaSuccess) {                                                           \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(err));     \
            exit(EXIT_FAILURE);                                                             \
        }                                                                                   \
    } while (0)

struct Csr {
    int rows = 0;
    int nonzeros = 0;
    int *offsets = nullptr;
    int *columns = nullptr;
    float *values = nullptr;
};

__global__ void spmv_scalar(Csr a, const float *__restrict__ x, float *__restrict__ y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.rows) return;
    float sum = 0.0f;
    const int end = a.offsets[row + 1]; //~ bounds
    for (int j = a.offsets[row]; j < end; j++) {
        sum += a.values[j] * x[a.columns[j]];
    }
    y[row] = sum;
}

__global__ void spmv_vector(Csr a, const float *__restrict__ x, float *__restrict__ y)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    const int lane = threadIdx.x % warpSize;
    if (row >= a.rows) return;
    float sum = 0.0f;
    for (int j = a.offsets[row] + lane; j < a.offsets[row + 1]; j += warpSize) { //~ bounds
        sum += a.values[j] * x[a.columns[j]];
    }
    for (int d = warpSize / 2; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    }
    if (lane == 0) y[row] = sum;
}

__global__ void normalise(float *x, float factor, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

static void random_matrix(int n, int per_row, std::vector<int> &offsets, std::vector<int> &columns,
                          std::vector<float> &values)
{
    offsets.push_back(0);
    for (int row = 0; row < n; row++) {
        const int length = 1 + rand() % (2 * per_row - 1);
        for (int j = 0; j < length; j++) {
            columns.push_back(rand() % n);
            values.push_back(float(rand()) / RAND_MAX);
        }
        offsets.push_back((int)columns.size());
    }
}

template <typename T>
static T *upload(const std::vector<T> &v, size_t count)
{
    T *p;
    CUDA(cudaMalloc((void **)&p, count * sizeof(T)));
    CUDA(cudaMemcpy(p, v.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

int main(int argc, char **argv)
{
    int n = 50000, per_row = 12, iterations = 20;
    bool vector = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--vector")) vector = true;
        else if (!strcmp(argv[i], "-n") && i + 1 < argc) n = atoi(argv[++i]);
        else if (!strcmp(argv[i], "-k") && i + 1 < argc) per_row = atoi(argv[++i]);
    }
    if (n < 1 || n > 10000000 || per_row < 1 || per_row > 100) return EXIT_FAILURE;
    std::vector<int> offsets, columns;
    std::vector<float> values;
    random_matrix(n, per_row, offsets, columns, values);
    Csr a;
    a.rows = n;
    a.nonzeros = (int)columns.size();
#ifdef DEFECT
    a.offsets = upload(offsets, n);
#else
    a.offsets = upload(offsets, n + 1);
#endif
    a.columns = upload(columns, columns.size());
    a.values = upload(values, values.size());
    std::vector<float> ones(n, 1.0f), result(n);
    float *x = upload(ones, n), *y = upload(ones, n);
    const int block = 128;
    for (int it = 0; it < iterations; it++) {
        if (vector) {
            const int rows_per_block = block / 32;
            spmv_vector<<<(n + rows_per_block - 1) / rows_per_block, block>>>(a, x, y);
        } else {
            spmv_scalar<<<(n + block - 1) / block, block>>>(a, x, y);
        }
        CUDA(cudaMemcpy(result.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
        double norm = 0.0;
        for (float value : result) norm += (double)value * value;
        normalise<<<(n + block - 1) / block, block>>>(y, float(1.0 / sqrt(norm)), n);
        float *swap = x;
        x = y;
        y = swap;
        printf("iteration %d: norm %f\n", it, sqrt(norm));
    }
    CUDA(cudaDeviceSynchronize());
    for (void *p : {(void *)a.offsets, (void *)a.columns, (void *)a.values, (void *)x, (void *)y}) CUDA(cudaFree(p));
    return EXIT_SUCCESS;
}
