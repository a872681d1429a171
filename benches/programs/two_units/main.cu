// program: two units and a header of kernel templates: a signal is normalised and smoothed
// defect: block_sums: race: no barrier between the steps of the tree, for any signal
#include "operators.cuh"

#include <cmath>
#include <vector>

struct Affine {
    double factor, offset;
    __device__ double operator()(double x) const { return factor * x + offset; }
};

struct Square {
    __device__ double operator()(double x) const { return x * x; }
};

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 100000;
    const int radius = argc > 2 ? atoi(argv[2]) : 16;
    if (n < 2 || n > (1 << 28) || radius < 0 || radius > 512) {
        fprintf(stderr, "usage: %s [samples [radius]]\n", argv[0]);
        return 1;
    }
    std::vector<double> signal(n);
    for (int i = 0; i < n; i++) signal[i] = 3.0 + sin(0.01 * i);
    double *a, *b, *scratch;
    CUDA_CHECK(cudaMalloc(&a, n * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&b, n * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&scratch, ops::blocks_for(n) * sizeof(double)));
    CUDA_CHECK(cudaMemcpy(a, signal.data(), n * sizeof(double), cudaMemcpyHostToDevice));

    const double mean = ops::sum(a, scratch, n) / n;
    ops::transform<<<ops::blocks_for(n), ops::kThreads>>>(a, b, n, Affine{1.0, -mean});
    ops::transform<<<ops::blocks_for(n), ops::kThreads>>>(b, a, n, Square());
    const double variance = ops::sum(a, scratch, n) / n;
    ops::transform<<<ops::blocks_for(n), ops::kThreads>>>(b, a, n, Affine{1.0 / sqrt(variance), 0.0});

    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaDeviceSynchronize());
    smooth(a, b, n, radius, stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaStreamDestroy(stream));
    const double rest = ops::sum(b, scratch, n) / n;
    printf("mean %f, variance %f, mean after smoothing %g\n", mean, variance, rest);
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(scratch));
    return fabs(rest) < 0.1 ? 0 : 1;
}
