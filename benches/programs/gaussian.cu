// program: Gaussian elimination: a column of multipliers, then the update, for each pivot
// defect: eliminate: race: the update takes its multipliers from the column that it overwrites
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check_error(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess) {
        fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

__global__ void multipliers(float *m, const float *a, int size, int t)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= size - 1 - t) return;
    m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void eliminate(const float *m, float *a, float *b, int size, int t)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= size - 1 - t || column >= size - t) return;
#ifdef DEFECT
    float factor = a[size * (row + 1 + t) + t] / a[size * t + t]; //~ race
#else
    float factor = m[size * (row + 1 + t) + t];
#endif
    a[size * (row + 1 + t) + column + t] -= factor * a[size * t + column + t]; //~ race
    if (column == 0) {
        b[row + 1 + t] -= factor * b[t];
    }
}

struct System {
    int size;
    float *a, *b, *x;
};

static void create(System *s)
{
    s->a = (float *)malloc(s->size * s->size * sizeof(float));
    s->b = (float *)malloc(s->size * sizeof(float));
    s->x = (float *)malloc(s->size * sizeof(float));
    for (int i = 0; i < s->size; i++) {
        for (int j = 0; j < s->size; j++) {
            s->a[i * s->size + j] = 10.0f * expf(-0.1f * fabsf((float)(i - j))) + (i == j ? s->size : 0);
        }
        s->b[i] = 1.0f;
    }
}

static void forward_elimination(System *s)
{
    const size_t matrix = s->size * s->size * sizeof(float);
    float *d_m, *d_a, *d_b;
    cudaMalloc((void **)&d_m, matrix);
    cudaMalloc((void **)&d_a, matrix);
    cudaMalloc((void **)&d_b, s->size * sizeof(float));
    cudaMemset(d_m, 0, matrix);
    cudaMemcpy(d_a, s->a, matrix, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, s->b, s->size * sizeof(float), cudaMemcpyHostToDevice);
    check_error("allocation");

    int block_size = 512;
    int grid_size = s->size / block_size + (s->size % block_size ? 1 : 0);
    dim3 block1(block_size), grid1(grid_size);
    int block2d = 16;
    int grid2d = s->size / block2d + (s->size % block2d ? 1 : 0);
    dim3 block2(block2d, block2d), grid2(grid2d, grid2d);
    for (int t = 0; t < s->size - 1; t++) {
        multipliers<<<grid1, block1>>>(d_m, d_a, s->size, t);
        cudaDeviceSynchronize();
        eliminate<<<grid2, block2>>>(d_m, d_a, d_b, s->size, t);
        cudaDeviceSynchronize();
        check_error("elimination");
    }
    cudaMemcpy(s->a, d_a, matrix, cudaMemcpyDeviceToHost);
    cudaMemcpy(s->b, d_b, s->size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_m);
    cudaFree(d_a);
    cudaFree(d_b);
}

static void back_substitution(System *s)
{
    for (int i = s->size - 1; i >= 0; i--) {
        float value = s->b[i];
        for (int j = i + 1; j < s->size; j++) {
            value -= s->a[i * s->size + j] * s->x[j];
        }
        s->x[i] = value / s->a[i * s->size + i];
    }
}

int main(int argc, char *argv[])
{
    System s = {208, NULL, NULL, NULL};
    bool quiet = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == 's' && i + 1 < argc) {
            s.size = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "-q")) {
            quiet = true;
        } else {
            fprintf(stderr, "usage: %s [-s size] [-q]\n", argv[0]);
            return 1;
        }
    }
    if (s.size < 2 || s.size > 16384) return 1;
    create(&s);
    float *a = (float *)malloc(s.size * s.size * sizeof(float));
    memcpy(a, s.a, s.size * s.size * sizeof(float));
    forward_elimination(&s);
    back_substitution(&s);
    double worst = 0;
    for (int i = 0; i < s.size; i++) {
        double sum = -1.0;
        for (int j = 0; j < s.size; j++) sum += a[i * s.size + j] * s.x[j];
        if (fabs(sum) > worst) worst = fabs(sum);
    }
    if (!quiet) printf("largest residual %g\n", worst);
    free(a);
    free(s.a);
    free(s.b);
    free(s.x);
    return worst < 1e-3 ? 0 : 1;
}
