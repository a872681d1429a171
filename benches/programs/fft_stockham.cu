// program: batched radix-2 FFT by Stockham stages, a launch for each stage, and its inverse
// defect: fft_stage: race: main passes one buffer as input and output of a stage
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CUDA_CHECK(e)                                                             \
    do {                                                                          \
        cudaError_t status = (e);                                                 \
        if (status != cudaSuccess) {                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                    \
                    cudaGetErrorString(status));                                  \
            std::exit(1);                                                         \
        }                                                                         \
    } while (0)

__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

/* One of log2(n) stages; a thread has one butterfly of one transform of the batch. */
__global__ void fft_stage(const float2 *in, float2 *out, int n, int half, float direction)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    const float2 *from = in + (size_t)blockIdx.y * n;
    float2 *to = out + (size_t)blockIdx.y * n;
    const int k = t & (half - 1);
    float s, c;
    sincosf(direction * 3.14159265358979f * k / half, &s, &c);
    const float2 a = from[t]; //~ race
    const float2 b = from[t + n / 2] * make_float2(c, s); //~ race
    const int place = ((t - k) << 1) + k;
    to[place] = a + b;
    to[place + half] = a - b;
}

__global__ void scale(float2 *data, float factor, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        data[i].x *= factor;
        data[i].y *= factor;
    }
}

class Plan {
public:
    Plan(int n, int batch) : n_(n), batch_(batch)
    {
        CUDA_CHECK(cudaMalloc(&scratch_, sizeof(float2) * n * batch));
    }
    Plan(const Plan &) = delete;
    ~Plan() { cudaFree(scratch_); }

    void execute(float2 *data, bool inverse)
    {
        const dim3 grid((n_ / 2 + kThreads - 1) / kThreads, batch_);
        float2 *in = data, *out = scratch_;
        for (int half = 1; half < n_; half *= 2) {
#ifdef DEFECT
            fft_stage<<<grid, kThreads>>>(in, in, n_, half, inverse ? 1.0f : -1.0f);
#else
            fft_stage<<<grid, kThreads>>>(in, out, n_, half, inverse ? 1.0f : -1.0f);
            std::swap(in, out);
#endif
        }
        if (in != data) {
            CUDA_CHECK(cudaMemcpy(data, in, sizeof(float2) * n_ * batch_, cudaMemcpyDeviceToDevice));
        }
        if (inverse) {
            const int count = n_ * batch_;
            scale<<<(count + kThreads - 1) / kThreads, kThreads>>>(data, 1.0f / n_, count);
        }
        CUDA_CHECK(cudaGetLastError());
    }

private:
    static constexpr int kThreads = 128;
    int n_, batch_;
    float2 *scratch_;
};

int main(int argc, char **argv)
{
    const int log_n = argc > 1 ? atoi(argv[1]) : 12;
    const int batch = argc > 2 ? atoi(argv[2]) : 10;
    if (log_n < 1 || log_n > 20 || batch < 1 || batch > 256) {
        fprintf(stderr, "usage: %s [log2 of the size [batch]]\n", argv[0]);
        return 1;
    }
    const int n = 1 << log_n;
    std::vector<float2> signal((size_t)n * batch), back(signal.size());
    for (size_t i = 0; i < signal.size(); i++) {
        signal[i] = make_float2(sinf(0.01f * i), (i % 17) / 17.0f);
    }
    float2 *data;
    CUDA_CHECK(cudaMalloc(&data, signal.size() * sizeof(float2)));
    CUDA_CHECK(cudaMemcpy(data, signal.data(), signal.size() * sizeof(float2), cudaMemcpyHostToDevice));
    Plan plan(n, batch);
    plan.execute(data, false);
    plan.execute(data, true);
    CUDA_CHECK(cudaMemcpy(back.data(), data, signal.size() * sizeof(float2), cudaMemcpyDeviceToHost));
    float worst = 0.0f;
    for (size_t i = 0; i < signal.size(); i++) {
        worst = fmaxf(worst, fmaxf(fabsf(back[i].x - signal[i].x), fabsf(back[i].y - signal[i].y)));
    }
    printf("worst difference after both transforms: %g\n", worst);
    CUDA_CHECK(cudaFree(data));
    return worst < 1e-3f ? 0 : 1;
}
