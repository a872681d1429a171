// program: conjugate gradients for a 2-D Poisson problem in one cooperative launch with grid barriers
// defect: solve: race: no grid barrier between the new directions and the product with them
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(x)                                                                           \
    do {                                                                                   \
        cudaError_t e = (x);                                                               \
        if (e != cudaSuccess) {                                                            \
            fprintf(stderr, "%s (line %d)\n", cudaGetErrorString(e), __LINE__);            \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

constexpr int BLOCK = 256;

struct Vectors {
    double *x, *r, *p, *ap;
};

/* Adds the product of two vectors to *result; all threads of the grid take part. */
__device__ void add_dot(const double *a, const double *b, double *result, int n)
{
    __shared__ double partial[BLOCK];
    double sum = 0.0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) sum += a[i] * b[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, partial[0]);
    __syncthreads();
}

__device__ double laplace(const double *v, int i, int side)
{
    const int x = i % side, y = i / side;
    double sum = 4.0 * v[i];
    if (x > 0) sum -= v[i - 1]; //~ race
    if (x < side - 1) sum -= v[i + 1]; //~ race
    if (y > 0) sum -= v[i - side]; //~ race
    if (y < side - 1) sum -= v[i + side]; //~ race
    return sum;
}

/* dots[2 k] is r.r before step k, and dots[2 k + 1] is p.Ap in it. */
__global__ void solve(Vectors v, double *dots, int side, int steps)
{
    cg::grid_group grid = cg::this_grid();
    const int n = side * side;
    const int first = blockIdx.x * BLOCK + threadIdx.x, stride = gridDim.x * BLOCK;
    add_dot(v.r, v.r, &dots[0], n);
    grid.sync();
    for (int k = 0; k < steps; k++) {
        for (int i = first; i < n; i += stride) v.ap[i] = laplace(v.p, i, side);
        grid.sync();
        add_dot(v.p, v.ap, &dots[2 * k + 1], n);
        grid.sync();
        const double alpha = dots[2 * k] / dots[2 * k + 1];
        for (int i = first; i < n; i += stride) {
            v.x[i] += alpha * v.p[i];
            v.r[i] -= alpha * v.ap[i];
        }
        grid.sync();
        add_dot(v.r, v.r, &dots[2 * k + 2], n);
        grid.sync();
        const double beta = dots[2 * k + 2] / dots[2 * k];
        for (int i = first; i < n; i += stride) v.p[i] = v.r[i] + beta * v.p[i]; //~ race
#ifndef DEFECT
        grid.sync();
#endif
    }
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 150;
    if (side < 2 || side > 4096 || steps < 1 || steps > 10000) {
        fprintf(stderr, "usage: %s [side [steps]]\n", argv[0]);
        return 1;
    }
    const size_t n = (size_t)side * side, bytes = n * sizeof(double);
    std::vector<double> b(n, 1.0), x(n);
    Vectors v;
    double *dots;
    for (double **p : {&v.x, &v.r, &v.p, &v.ap}) CHECK(cudaMalloc(p, bytes));
    CHECK(cudaMalloc(&dots, (2 * steps + 1) * sizeof(double)));
    CHECK(cudaMemset(dots, 0, (2 * steps + 1) * sizeof(double)));
    CHECK(cudaMemset(v.x, 0, bytes));
    CHECK(cudaMemcpy(v.r, b.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v.p, b.data(), bytes, cudaMemcpyHostToDevice));
    int per_sm = 0, device = 0;
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, solve, BLOCK, 0));
    const int blocks = std::min(per_sm * properties.multiProcessorCount, (int)((n + BLOCK - 1) / BLOCK));
    void *arguments[] = {&v, &dots, &side, &steps};
    CHECK(cudaLaunchCooperativeKernel((void *)solve, dim3(blocks), dim3(BLOCK), arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(x.data(), v.x, bytes, cudaMemcpyDeviceToHost));
    double residual = 0.0;
    for (int i = 0; i < side * side; i++) {
        const int cx = i % side, cy = i / side;
        double sum = 4.0 * x[i] - (cx > 0 ? x[i - 1] : 0) - (cx < side - 1 ? x[i + 1] : 0);
        sum -= (cy > 0 ? x[i - side] : 0) + (cy < side - 1 ? x[i + side] : 0);
        residual = std::max(residual, std::fabs(sum - 1.0));
    }
    printf("residual %g\n", residual);
    for (double *p : {v.x, v.r, v.p, v.ap, dots}) CHECK(cudaFree(p));
    return std::isfinite(residual) ? 0 : 1;
}
