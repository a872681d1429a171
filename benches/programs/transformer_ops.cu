// program: layers of a transformer: softmax, layer norm and RMS norm over rows
// defect: softmax_rows: divergence: threads beyond the row leave early; 1000 columns, 1024 threads
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))
inline void cuda_check(cudaError_t error, const char *file, int line)
{
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}
inline int ceil_div(int m, int n) { return (m + n - 1) / n; }

struct AddOp { __device__ float operator()(float a, float b) const { return a + b; } };
struct MaxOp { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };

template <typename Op>
__device__ float warp_reduce(float value, Op op)
{
    for (int offset = 16; offset > 0; offset >>= 1) {
        value = op(value, __shfl_xor_sync(0xFFFFFFFF, value, offset)); //~ divergence
    }
    return value;
}

/* The result is for all threads; shared has a place for each of up to 32 warps. */
template <typename Op>
__device__ float block_reduce(float value, float *shared, float neutral, Op op)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    value = warp_reduce(value, op);
    __syncthreads(); //~ divergence
    if (lane == 0) shared[warp] = value;
    __syncthreads(); //~ divergence
    value = lane < warps ? shared[lane] : neutral;
    return warp_reduce(value, op);
}

__global__ void softmax_rows(float *out, const float *in, int columns)
{
    __shared__ float shared[32];
    const float *x = in + (size_t)blockIdx.x * columns;
    float *y = out + (size_t)blockIdx.x * columns;
#ifdef DEFECT
    if (threadIdx.x >= columns) return;
#endif
    float largest = -INFINITY;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, x[i]);
    largest = block_reduce(largest, shared, -INFINITY, MaxOp());
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        const float e = expf(x[i] - largest);
        y[i] = e;
        sum += e;
    }
    sum = block_reduce(sum, shared, 0.0f, AddOp());
    for (int i = threadIdx.x; i < columns; i += blockDim.x) y[i] /= sum;
}

__global__ void layernorm(float *out, float *mean, float *rstd, const float *in, const float *weight, const float *bias,
                          int columns)
{
    __shared__ float shared[32];
    const float *x = in + (size_t)blockIdx.x * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += x[i];
    const float m = block_reduce(sum, shared, 0.0f, AddOp()) / columns;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) squares += (x[i] - m) * (x[i] - m);
    const float s = rsqrtf(block_reduce(squares, shared, 0.0f, AddOp()) / columns + 1e-5f);
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = m;
        rstd[blockIdx.x] = s;
    }
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        out[(size_t)blockIdx.x * columns + i] = s * (x[i] - m) * weight[i] + bias[i];
    }
}

/* A warp for each row. */
__global__ void rmsnorm(float *out, const float *in, const float *weight, int rows, int columns)
{
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * columns;
    float squares = 0.0f;
    for (int i = lane; i < columns; i += 32) squares += x[i] * x[i];
    const float s = rsqrtf(warp_reduce(squares, AddOp()) / columns + 1e-6f);
    for (int i = lane; i < columns; i += 32) out[(size_t)row * columns + i] = x[i] * s * weight[i];
}

static float time_it(const std::function<void()> &launch)
{
    cudaEvent_t start, stop;
    cudaCheck(cudaEventCreate(&start));
    cudaCheck(cudaEventCreate(&stop));
    cudaCheck(cudaEventRecord(start));
    for (int i = 0; i < 10; i++) launch();
    cudaCheck(cudaEventRecord(stop));
    cudaCheck(cudaEventSynchronize(stop));
    float ms;
    cudaCheck(cudaEventElapsedTime(&ms, start, stop));
    return ms / 10;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 500;
    const int columns = argc > 2 ? atoi(argv[2]) : 1000;
    const int block_size = argc > 3 ? atoi(argv[3]) : 1024;
    if (rows < 1 || columns < 1 || rows > 100000 || columns > 10000 || block_size % 32 || block_size < 32 ||
        block_size > 1024) {
        return 1;
    }
    const size_t count = (size_t)rows * columns;
    std::vector<float> in(count), out(count), ones(columns, 1.0f);
    for (size_t i = 0; i < count; i++) in[i] = (float)(rand() % 1000) / 500 - 1;
    float *d_in, *d_out, *d_weight, *d_bias, *d_mean, *d_rstd;
    cudaCheck(cudaMalloc(&d_in, count * sizeof(float)));
    cudaCheck(cudaMalloc(&d_out, count * sizeof(float)));
    cudaCheck(cudaMalloc(&d_weight, columns * sizeof(float)));
    cudaCheck(cudaMalloc(&d_bias, columns * sizeof(float)));
    cudaCheck(cudaMalloc(&d_mean, rows * sizeof(float)));
    cudaCheck(cudaMalloc(&d_rstd, rows * sizeof(float)));
    cudaCheck(cudaMemcpy(d_in, in.data(), count * sizeof(float), cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(d_weight, ones.data(), columns * sizeof(float), cudaMemcpyHostToDevice));
    cudaCheck(cudaMemset(d_bias, 0, columns * sizeof(float)));
    const float t1 = time_it([&] { layernorm<<<rows, block_size>>>(d_out, d_mean, d_rstd, d_in, d_weight, d_bias, columns); });
    const float t2 = time_it([&] { rmsnorm<<<ceil_div(rows, block_size / 32), block_size>>>(d_out, d_in, d_weight, rows, columns); });
    const float t3 = time_it([&] { softmax_rows<<<rows, block_size>>>(d_out, d_in, columns); });
    cudaCheck(cudaMemcpy(out.data(), d_out, count * sizeof(float), cudaMemcpyDeviceToHost));
    double worst = 0.0;
    for (int r = 0; r < rows; r++) {
        double sum = 0.0;
        for (int c = 0; c < columns; c++) sum += out[(size_t)r * columns + c];
        worst = fmax(worst, fabs(sum - 1.0));
    }
    printf("%.4f ms, %.4f ms, %.4f ms; rows add up to 1 within %g\n", t1, t2, t3, worst);
    for (float *p : {d_in, d_out, d_weight, d_bias, d_mean, d_rstd}) cudaCheck(cudaFree(p));
    return worst < 1e-3 ? 0 : 1;
}
