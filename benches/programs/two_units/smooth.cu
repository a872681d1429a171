// program: (unit of two_units/main.cu) a moving average, launched for the main unit
// defect: block_sums: race: it is in the header, and this unit does not use it
#include "operators.cuh"

namespace {

__global__ void moving_average(const double *in, double *out, int n, int radius)
{
    extern __shared__ double window[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = (int)(blockIdx.x * blockDim.x) - radius;
    for (int w = threadIdx.x; w < blockDim.x + 2 * radius; w += blockDim.x) {
        const int place = min(max(first + w, 0), n - 1);
        window[w] = in[place];
    }
    __syncthreads();
    if (i >= n) return;
    double sum = 0.0;
    for (int w = 0; w <= 2 * radius; w++) sum += window[threadIdx.x + w];
    out[i] = sum / (2 * radius + 1);
}

} // namespace

void smooth(const double *in, double *out, int n, int radius, cudaStream_t stream)
{
    const size_t bytes = (ops::kThreads + 2 * radius) * sizeof(double);
    moving_average<<<ops::blocks_for(n), ops::kThreads, bytes, stream>>>(in, out, n, radius);
    CUDA_CHECK(cudaGetLastError());
}
