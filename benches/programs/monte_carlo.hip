// program: Monte Carlo price of an Asian option, a random state for each thread
// defect: simulate: race: more threads than states: threads of different blocks share a state
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 128
#define CK(x)                                                                \
    do {                                                                     \
        hipError_t e = (x);                                                  \
        if (e != hipSuccess) {                                               \
            fprintf(stderr, "%d: %s\n", __LINE__, hipGetErrorString(e));     \
            exit(2);                                                         \
        }                                                                    \
    } while (0)

struct Option {
    float spot, strike, rate, volatility, years;
    int fixings;
};

__device__ uint32_t next(uint4 &s)
{
    const uint32_t t = s.x ^ (s.x << 11);
    s.x = s.y;
    s.y = s.z;
    s.z = s.w;
    s.w = s.w ^ (s.w >> 19) ^ t ^ (t >> 8);
    return s.w;
}

__device__ float normal(uint4 &s)
{
    const float u = (next(s) + 1.0f) * 2.3283064e-10f, v = next(s) * 2.3283064e-10f;
    return sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
}

__global__ void seed_states(uint4 *states, uint32_t seed)
{
    const uint32_t i = blockIdx.x * BLOCK + threadIdx.x;
    uint32_t h = seed + i * 2654435761u;
    uint4 s;
    s.x = h ^= h >> 15;
    s.y = h *= 0x85ebca6bu;
    s.z = h ^= h >> 13;
    s.w = (h *= 0xc2b2ae35u) | 1u;
    states[i] = s;
}

__global__ void simulate(uint4 *states, Option option, int paths, float *sums, int stride)
{
    __shared__ float partial[BLOCK];
#ifdef DEFECT
    const int i = (blockIdx.x * BLOCK + threadIdx.x) % stride;
#else
    const int i = blockIdx.x * BLOCK + threadIdx.x;
#endif
    uint4 state = states[i]; //~ race
    const float dt = option.years / option.fixings;
    const float drift = (option.rate - 0.5f * option.volatility * option.volatility) * dt;
    const float step = option.volatility * sqrtf(dt);
    float sum = 0.0f;
    for (int p = 0; p < paths; p++) {
        float price = option.spot, average = 0.0f;
        for (int f = 0; f < option.fixings; f++) {
            price *= expf(drift + step * normal(state));
            average += price;
        }
        sum += fmaxf(average / option.fixings - option.strike, 0.0f);
    }
    states[i] = state; //~ race
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] += partial[0];
}

int main(int argc, char **argv)
{
    Option option = {100.0f, 100.0f, 0.05f, 0.2f, 1.0f, 12};
    int blocks = 64, paths = 100, rounds = 4;
    for (int i = 1; i + 1 < argc; i += 2) {
        switch (argv[i][1]) {
        case 'b': blocks = atoi(argv[i + 1]); break;
        case 'p': paths = atoi(argv[i + 1]); break;
        case 'r': rounds = atoi(argv[i + 1]); break;
        case 'k': option.strike = (float)atof(argv[i + 1]); break;
        case 'f': option.fixings = atoi(argv[i + 1]); break;
        default: fprintf(stderr, "unknown option %s\n", argv[i]); return 1;
        }
    }
    if (blocks < 1 || blocks > 65535 || paths < 1 || rounds < 1 || option.fixings < 1) return 1;
    const int threads = blocks * BLOCK;
    uint4 *states;
    float *sums;
    CK(hipMalloc(&states, threads * sizeof(uint4)));
    CK(hipMalloc(&sums, blocks * sizeof(float)));
    CK(hipMemset(sums, 0, blocks * sizeof(float)));
    seed_states<<<blocks, BLOCK>>>(states, 2024u);
    for (int r = 0; r < rounds; r++) {
        simulate<<<blocks, BLOCK>>>(states, option, paths, sums, blocks);
        CK(hipGetLastError());
    }
    std::vector<float> host(blocks);
    CK(hipMemcpy(host.data(), sums, blocks * sizeof(float), hipMemcpyDeviceToHost));
    double total = 0.0;
    for (float s : host) total += s;
    const double price = exp(-option.rate * option.years) * total / ((double)threads * paths * rounds);
    printf("price %.4f from %lld paths\n", price, (long long)threads * paths * rounds);
    CK(hipFree(states));
    CK(hipFree(sums));
    return std::isfinite(price) ? 0 : 1;
}
