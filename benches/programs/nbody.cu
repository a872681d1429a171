// program: all-pairs N-body simulation, tiles of bodies in shared memory, positions in two buffers
// defect: integrate: race: no barrier between the use of a tile and the loading of the next
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK_CUDA(x)                                                          \
    if (cudaError_t err = (x)) {                                               \
        fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(err));              \
        exit(1);                                                               \
    }

struct Bodies {
    float4 *position[2]; // w is the mass
    float4 *velocity;
    int count;
};

struct Parameters {
    int bodies = 3000;
    int block = 128;
    int steps = 10;
    float dt = 0.01f;
};

__device__ float3 attract(float3 acceleration, float4 me, float4 other)
{
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float squared = dx * dx + dy * dy + dz * dz + 1e-3f;
    const float inverse = rsqrtf(squared);
    const float factor = other.w * inverse * inverse * inverse;
    acceleration.x += dx * factor;
    acceleration.y += dy * factor;
    acceleration.z += dz * factor;
    return acceleration;
}

__global__ void integrate(const float4 *__restrict__ from, float4 *__restrict__ to, float4 *velocity, int count, float dt)
{
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < count ? from[i] : make_float4(0, 0, 0, 0);
    float3 acceleration = make_float3(0, 0, 0);
    for (int base = 0; base < count; base += blockDim.x) {
        const int j = base + threadIdx.x;
        tile[threadIdx.x] = j < count ? from[j] : make_float4(0, 0, 0, 0); //~ race
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < blockDim.x; k++) {
            acceleration = attract(acceleration, me, tile[k]); //~ race
        }
#ifndef DEFECT
        __syncthreads();
#endif
    }
    if (i < count) {
        float4 v = velocity[i];
        v.x += acceleration.x * dt;
        v.y += acceleration.y * dt;
        v.z += acceleration.z * dt;
        velocity[i] = v;
        to[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
    }
}

__global__ void momentum(const float4 *position, const float4 *velocity, float *total, int count)
{
    float x = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        x += position[i].w * velocity[i].x;
    }
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, x);
}

static Parameters parse(int argc, char **argv)
{
    Parameters p;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "--n=", 4)) p.bodies = atoi(argv[i] + 4);
        else if (!strncmp(argv[i], "--block=", 8)) p.block = atoi(argv[i] + 8);
        else if (!strncmp(argv[i], "--steps=", 8)) p.steps = atoi(argv[i] + 8);
        else if (!strncmp(argv[i], "--dt=", 5)) p.dt = (float)atof(argv[i] + 5);
    }
    if (p.bodies < 1 || p.bodies > 1000000 || p.block < 32 || p.block > 1024 || p.block % 32) {
        fprintf(stderr, "bad parameters\n");
        exit(1);
    }
    return p;
}

int main(int argc, char **argv)
{
    const Parameters p = parse(argc, argv);
    std::vector<float4> position(p.bodies), velocity(p.bodies);
    for (float4 &q : position) {
        q = make_float4(rand() % 1000 / 500.0f - 1, rand() % 1000 / 500.0f - 1, rand() % 1000 / 500.0f - 1, 1.0f / p.bodies);
    }
    Bodies b;
    b.count = p.bodies;
    const size_t bytes = p.bodies * sizeof(float4);
    for (int i = 0; i < 2; i++) CHECK_CUDA(cudaMalloc((void **)&b.position[i], bytes));
    CHECK_CUDA(cudaMalloc((void **)&b.velocity, bytes));
    CHECK_CUDA(cudaMemcpy(b.position[0], position.data(), bytes, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemset(b.velocity, 0, bytes));
    int current = 0;
    const int grid = (p.bodies + p.block - 1) / p.block;
    for (int s = 0; s < p.steps; s++) {
        integrate<<<grid, p.block, p.block * sizeof(float4)>>>(b.position[current], b.position[1 - current], b.velocity,
                                                               b.count, p.dt);
        current ^= 1;
    }
    float *total, result;
    CHECK_CUDA(cudaMalloc((void **)&total, sizeof(float)));
    CHECK_CUDA(cudaMemset(total, 0, sizeof(float)));
    momentum<<<32, 256>>>(b.position[current], b.velocity, total, b.count);
    CHECK_CUDA(cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(position.data(), b.position[current], bytes, cudaMemcpyDeviceToHost));
    printf("momentum %g, first body at (%f, %f, %f)\n", result, position[0].x, position[0].y, position[0].z);
    for (void *d : {(void *)b.position[0], (void *)b.position[1], (void *)b.velocity, (void *)total}) cudaFree(d);
    return fabsf(result) < 1e-2f ? 0 : 1;
}
