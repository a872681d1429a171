// program: Jacobi iterations for the Laplace equation in 2-D, with a residual every few steps
// defect: step: race: the host forgets to swap, and passes one buffer as input and output
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define gpu(call)                                                                      \
    if ((call) != cudaSuccess) {                                                       \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                             \
                cudaGetErrorString(cudaGetLastError()));                               \
        exit(1);                                                                       \
    }

struct Problem {
    int nx, ny;
    int steps;
    int check_every;
    float tolerance;
};

__global__ void step(const float *in, float *out, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
        out[j * nx + i] = 0.25f * (in[j * nx + i - 1] + in[j * nx + i + 1] + //~ race
                                   in[(j - 1) * nx + i] + in[(j + 1) * nx + i]); //~ race
    }
}

__global__ void residual(const float *a, const float *b, float *largest, int count)
{
    __shared__ float shared[256];
    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        value = fmaxf(value, fabsf(a[i] - b[i]));
    }
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) {
            shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + s]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        // Floats that are not negative are ordered as their bits are.
        atomicMax((int *)largest, __float_as_int(shared[0]));
    }
}

__global__ void set_boundary(float *grid, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nx) {
        grid[i] = 1.0f;
        grid[(ny - 1) * nx + i] = 0.0f;
    }
}

static int iterate(const Problem &p, float *current, float *next, float *d_largest, float *final_residual)
{
    const dim3 block(32, 8);
    const dim3 grid((p.nx + block.x - 1) / block.x, (p.ny + block.y - 1) / block.y);
    int s = 0;
    *final_residual = INFINITY;
    while (s < p.steps && *final_residual > p.tolerance) {
#ifdef DEFECT
        step<<<grid, block>>>(current, current, p.nx, p.ny);
#else
        step<<<grid, block>>>(current, next, p.nx, p.ny);
#endif
        if (++s % p.check_every == 0) {
            gpu(cudaMemset(d_largest, 0, sizeof(float)));
            residual<<<64, 256>>>(current, next, d_largest, p.nx * p.ny);
            gpu(cudaMemcpy(final_residual, d_largest, sizeof(float), cudaMemcpyDeviceToHost));
        }
        std::swap(current, next);
    }
    return s;
}

int main(int argc, char **argv)
{
    Problem p = {510, 300, 200, 20, 1e-6f};
    if (argc > 1) p.nx = atoi(argv[1]);
    if (argc > 2) p.ny = atoi(argv[2]);
    if (argc > 3) p.steps = atoi(argv[3]);
    if (p.nx < 3 || p.ny < 3 || p.nx > 20000 || p.ny > 20000 || p.steps < 1) {
        fprintf(stderr, "usage: %s [nx [ny [steps]]]\n", argv[0]);
        return 1;
    }
    const size_t bytes = sizeof(float) * p.nx * p.ny;
    float *a, *b, *largest;
    gpu(cudaMalloc(&a, bytes));
    gpu(cudaMalloc(&b, bytes));
    gpu(cudaMalloc(&largest, sizeof(float)));
    gpu(cudaMemset(a, 0, bytes));
    gpu(cudaMemset(b, 0, bytes));
    set_boundary<<<(p.nx + 127) / 128, 128>>>(a, p.nx, p.ny);
    set_boundary<<<(p.nx + 127) / 128, 128>>>(b, p.nx, p.ny);
    float last;
    const int done = iterate(p, a, b, largest, &last);
    gpu(cudaDeviceSynchronize());
    printf("%d steps, residual %g\n", done, last);
    cudaFree(a);
    cudaFree(b);
    cudaFree(largest);
    return std::isfinite(last) || p.steps < p.check_every ? 0 : 1;
}
