// program: JPEG-like compression: 8x8 DCT, quantisation, inverse DCT, error of the result
// defect: forward_dct: race: no barrier between the transforms of the rows and of the columns
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define N 8
#define BLOCKS_PER_GROUP 4

#define CHECK(x) check_cuda((x), #x, __LINE__)
static void check_cuda(cudaError_t r, const char *expr, int line)
{
    if (r != cudaSuccess) {
        fprintf(stderr, "%s failed in line %d: %s\n", expr, line, cudaGetErrorString(r));
        exit(EXIT_FAILURE);
    }
}

__constant__ float basis[N * N];
__constant__ short quantiser[N * N];

/* A group of 8 x 8 x 4 threads has four neighbouring blocks of the plane. */
__global__ void forward_dct(const float *plane, short *coefficients, int pitch, int blocks_x)
{
    __shared__ float values[BLOCKS_PER_GROUP][N][N + 1];
    const int bx = blockIdx.x * BLOCKS_PER_GROUP + threadIdx.z;
    const int x = threadIdx.x, y = threadIdx.y;
    const bool inside = bx < blocks_x;
    const int index = (blockIdx.y * N + y) * pitch + bx * N + x;
    float (*block)[N + 1] = values[threadIdx.z];
    block[y][x] = inside ? plane[index] - 128.0f : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < N; i++) sum += block[y][i] * basis[x * N + i]; //~ race
#ifndef DEFECT
    __syncthreads();
#endif
    block[y][x] = sum; //~ race
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < N; i++) sum += block[i][x] * basis[y * N + i];
    if (inside) {
        coefficients[index] = (short)rintf(sum / quantiser[y * N + x]);
    }
}

__global__ void inverse_dct(const short *coefficients, float *plane, int pitch, int blocks_x)
{
    __shared__ float values[BLOCKS_PER_GROUP][N][N + 1];
    const int bx = blockIdx.x * BLOCKS_PER_GROUP + threadIdx.z;
    const int x = threadIdx.x, y = threadIdx.y;
    const bool inside = bx < blocks_x;
    const int index = (blockIdx.y * N + y) * pitch + bx * N + x;
    float (*block)[N + 1] = values[threadIdx.z];
    block[y][x] = inside ? coefficients[index] * (float)quantiser[y * N + x] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < N; i++) sum += block[i][x] * basis[i * N + y];
    __syncthreads();
    block[y][x] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < N; i++) sum += block[y][i] * basis[i * N + x];
    if (inside) {
        plane[index] = fminf(fmaxf(sum + 128.0f, 0.0f), 255.0f);
    }
}

static void upload_tables(int quality)
{
    float b[N * N];
    short q[N * N];
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < N; i++) {
            b[k * N + i] = sqrtf((k == 0 ? 1.0f : 2.0f) / N) * cosf((2 * i + 1) * k * 3.14159265f / (2 * N));
            q[k * N + i] = (short)(1 + (1 + k + i) * quality);
        }
    }
    CHECK(cudaMemcpyToSymbol(basis, b, sizeof(b)));
    CHECK(cudaMemcpyToSymbol(quantiser, q, sizeof(q)));
}

int main(int argc, char **argv)
{
    int width = 1000, height = 600, quality = 2;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-w", 2) == 0) width = atoi(argv[i] + 2);
        if (strncmp(argv[i], "-h", 2) == 0) height = atoi(argv[i] + 2);
        if (strncmp(argv[i], "-q", 2) == 0) quality = atoi(argv[i] + 2);
    }
    if (width < N || height < N || width > 16384 || height > 16384 || quality < 1 || quality > 50) return 1;
    const int blocks_x = width / N, blocks_y = height / N;
    size_t pitch_bytes;
    float *d_plane;
    short *d_coefficients;
    CHECK(cudaMallocPitch((void **)&d_plane, &pitch_bytes, width * sizeof(float), height));
    const int pitch = (int)(pitch_bytes / sizeof(float));
    CHECK(cudaMalloc((void **)&d_coefficients, (size_t)pitch * height * sizeof(short)));
    float *plane = (float *)malloc(sizeof(float) * width * height);
    float *result = (float *)malloc(sizeof(float) * width * height);
    for (int i = 0; i < width * height; i++) plane[i] = 128.0f + 100.0f * sinf(0.05f * (i % width)) * cosf(0.03f * (i / width));
    CHECK(cudaMemcpy2D(d_plane, pitch_bytes, plane, width * sizeof(float), width * sizeof(float), height,
                       cudaMemcpyHostToDevice));
    upload_tables(quality);
    dim3 threads(N, N, BLOCKS_PER_GROUP);
    dim3 grid((blocks_x + BLOCKS_PER_GROUP - 1) / BLOCKS_PER_GROUP, blocks_y);
    forward_dct<<<grid, threads>>>(d_plane, d_coefficients, pitch, blocks_x);
    inverse_dct<<<grid, threads>>>(d_coefficients, d_plane, pitch, blocks_x);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(result, width * sizeof(float), d_plane, pitch_bytes, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    double error = 0.0;
    for (int i = 0; i < width * height; i++) error += fabs(result[i] - plane[i]);
    error /= (double)width * height;
    printf("mean error %f\n", error);
    CHECK(cudaFree(d_plane));
    CHECK(cudaFree(d_coefficients));
    free(plane);
    free(result);
    return error < 20.0 * quality ? 0 : 1;
}
