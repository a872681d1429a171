//pass
// the sizes of its own launches
// Bodies that attract each other, simulated over many steps: positions as float4 with the mass in w, loaded by tiles
// into shared memory, two buffers that take turns, and the total energy to see that nothing got lost.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

constexpr int TILE = 256;

// ---- Kernels --------------------------------------------------------------------------------------------

__device__ __forceinline__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ __forceinline__ float3 operator*(float scale, float3 a)
{
    return make_float3(scale * a.x, scale * a.y, scale * a.z);
}

/* What a body adds to the acceleration of another; also its share of the potential. */
__device__ __forceinline__ float3 attraction(float4 body, float4 other, float softening, float &potential)
{
    const float3 d = make_float3(other.x - body.x, other.y - body.y, other.z - body.z);
    const float inverse = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + softening);
    potential -= other.w * inverse;
    return (other.w * inverse * inverse * inverse) * d;
}

/* All bodies act on the thread's body, tile by tile. Beyond the last body there are some without mass. */
__device__ float3 acceleration(const float4 *bodies, float4 body, int count, float softening, float &potential)
{
    __shared__ float4 tile[TILE];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < count; first += TILE) {
        const int other = first + threadIdx.x;
        tile[threadIdx.x] = other < count ? bodies[other] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
#pragma unroll 16
        for (int j = 0; j < TILE; j++) {
            sum = sum + attraction(body, tile[j], softening, potential);
        }
        __syncthreads();
    }
    return sum;
}

__global__ void __launch_bounds__(TILE)
step(const float4 *__restrict__ from, float4 *__restrict__ to, float4 *__restrict__ velocities, int count, float dt,
     float softening)
{
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 body = i < count ? from[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float potential = 0.0f;
    const float3 force = acceleration(from, body, count, softening, potential);
    if (i < count) {
        float4 velocity = velocities[i];
        velocity.x += dt * force.x;
        velocity.y += dt * force.y;
        velocity.z += dt * force.z;
        velocities[i] = velocity;
        to[i] = make_float4(body.x + dt * velocity.x, body.y + dt * velocity.y, body.z + dt * velocity.z, body.w);
    }
}

/* The energy of each block's bodies: of their motion, and half of that between them and all others. */
__global__ void __launch_bounds__(TILE)
energies(const float4 *__restrict__ bodies, const float4 *__restrict__ velocities, float *__restrict__ of_blocks,
         int count, float softening)
{
    __shared__ float partial[TILE];
    const int t = threadIdx.x;
    const int i = blockIdx.x * TILE + t;
    const float4 body = i < count ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float potential = 0.0f;
    acceleration(bodies, body, count, softening, potential);
    float energy = 0.0f;
    if (i < count) {
        const float4 v = velocities[i];
        energy = 0.5f * body.w * (v.x * v.x + v.y * v.y + v.z * v.z + potential);
    }
    partial[t] = energy;
    __syncthreads();
    for (int s = TILE / 2; s > 0; s >>= 1) {
        if (t < s) {
            partial[t] += partial[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        of_blocks[blockIdx.x] = partial[0];
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

struct CudaError : std::runtime_error {
    CudaError(cudaError_t status, int line)
        : std::runtime_error("line " + std::to_string(line) + ": " + cudaGetErrorString(status))
    {
    }
};
#define TRY(call)                                        \
    do {                                                 \
        const cudaError_t status_ = call;                \
        if (status_ != cudaSuccess) {                    \
            throw CudaError(status_, __LINE__);          \
        }                                                \
    } while (0)

template <typename T>
std::shared_ptr<T> device_array(size_t count)
{
    T *pointer = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&pointer), count * sizeof(T)));
    return std::shared_ptr<T>(pointer, [](T *p) { cudaFree(p); });
}

class Simulation {
public:
    Simulation(const std::vector<float4> &positions, const std::vector<float4> &velocities)
        : count_(static_cast<int>(positions.size())), blocks_((count_ + TILE - 1) / TILE),
          from_(device_array<float4>(count_)), to_(device_array<float4>(count_)),
          velocities_(device_array<float4>(count_)), of_blocks_(device_array<float>(blocks_))
    {
        TRY(cudaMemcpy(from_.get(), positions.data(), count_ * sizeof(float4), cudaMemcpyHostToDevice));
        TRY(cudaMemcpy(velocities_.get(), velocities.data(), count_ * sizeof(float4), cudaMemcpyHostToDevice));
    }

    void advance(int steps, float dt)
    {
        for (int i = 0; i < steps; i++) {
            step<<<blocks_, TILE>>>(from_.get(), to_.get(), velocities_.get(), count_, dt, SOFTENING);
            std::swap(from_, to_);
        }
        TRY(cudaGetLastError());
    }

    double energy()
    {
        energies<<<blocks_, TILE>>>(from_.get(), velocities_.get(), of_blocks_.get(), count_, SOFTENING);
        std::vector<float> parts(blocks_);
        TRY(cudaMemcpy(parts.data(), of_blocks_.get(), blocks_ * sizeof(float), cudaMemcpyDeviceToHost));
        double sum = 0.0;
        for (float part : parts) {
            sum += part;
        }
        return sum;
    }

private:
    static constexpr float SOFTENING = 0.01f;
    int count_;
    int blocks_;
    std::shared_ptr<float4> from_, to_, velocities_;
    std::shared_ptr<float> of_blocks_;
};

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::stoi(argv[1]) : 3000;
    const int steps = argc > 2 ? std::stoi(argv[2]) : 20;
    try {
        std::mt19937 random(3);
        std::normal_distribution<float> normal;
        std::vector<float4> positions(count), velocities(count);
        for (int i = 0; i < count; i++) {
            positions[i] = make_float4(normal(random), normal(random), normal(random), 1.0f / count);
            velocities[i] = make_float4(0.3f * normal(random), 0.3f * normal(random), 0.3f * normal(random), 0.0f);
        }
        Simulation simulation(positions, velocities);
        const double before = simulation.energy();
        simulation.advance(steps, 0.001f);
        const double after = simulation.energy();
        const bool passed = std::fabs(after - before) < 0.02 * std::fabs(before) + 1e-4;
        std::printf("%d bodies, %d steps: energy %.6f, then %.6f: %s\n", count, steps, before, after,
                    passed ? "PASSED" : "FAILED");
        return passed ? 0 : 1;
    } catch (const CudaError &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
