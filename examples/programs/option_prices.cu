//pass
// the sizes of its own launches
// Prices of European options by the formula of Black and Scholes, with the sensitivities, and the way back: from a
// price to the volatility, by bisection. Options, prices and the market are structs; one thread per option.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

// ---- Data ---------------------------------------------------------------------------------------------------

struct Option {
    float strike;
    float years;
    bool is_call;
};

struct __align__(16) Price {
    float value;
    float delta;
    float gamma;
    float vega;
};

struct Market {
    float spot;
    float rate;
    float volatility;
};

/* Arrays of one length, handed to kernels by value. */
struct Portfolio {
    const Option *options;
    Price *prices;
    float *implied;
    int count;
};

// ---- Device functions and kernels -------------------------------------------------------------------------

__host__ __device__ inline float normal_density(float x)
{
    return 0.39894228f * expf(-0.5f * x * x);
}

__host__ __device__ inline float normal_distribution(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

__host__ __device__ inline Price price_of(const Option &option, const Market &market, float volatility)
{
    const float root = sqrtf(option.years);
    const float drift = (market.rate + 0.5f * volatility * volatility) * option.years;
    const float d1 = (logf(market.spot / option.strike) + drift) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float discounted = option.strike * expf(-market.rate * option.years);
    const float sign = option.is_call ? 1.0f : -1.0f;
    Price price;
    price.value = sign * (market.spot * normal_distribution(sign * d1) - discounted * normal_distribution(sign * d2));
    price.delta = sign * normal_distribution(sign * d1);
    price.gamma = normal_density(d1) / (market.spot * volatility * root);
    price.vega = market.spot * normal_density(d1) * root;
    return price;
}

__constant__ Market market;

__global__ void __launch_bounds__(128) price_options(Portfolio portfolio)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < portfolio.count) {
        portfolio.prices[i] = price_of(portfolio.options[i], market, market.volatility);
    }
}

/* The volatility that explains the price: the price grows with it, so halving an interval finds it. */
__global__ void __launch_bounds__(128) imply_volatilities(Portfolio portfolio, float low, float high, float tolerance)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= portfolio.count) {
        return;
    }
    const Option option = portfolio.options[i];
    const float target = portfolio.prices[i].value;
    float from = low;
    float to = high;
    while (to - from > tolerance) {
        const float middle = 0.5f * (from + to);
        if (price_of(option, market, middle).value < target) {
            from = middle;
        } else {
            to = middle;
        }
    }
    portfolio.implied[i] = 0.5f * (from + to);
}

/* The value of the whole portfolio, block by block. */
__global__ void __launch_bounds__(128) total_values(Portfolio portfolio, float *totals)
{
    __shared__ float values[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    values[t] = i < portfolio.count ? portfolio.prices[i].value : 0.0f;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            values[t] += values[t + half];
        }
    }
    if (t == 0) {
        totals[blockIdx.x] = values[0];
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

#define CALL(function, ...)                                                                              \
    do {                                                                                                 \
        if (function(__VA_ARGS__) != cudaSuccess) {                                                      \
            std::fprintf(stderr, #function ": %s\n", cudaGetErrorString(cudaGetLastError()));            \
            std::exit(1);                                                                                \
        }                                                                                                \
    } while (false)

template <typename T>
T *on_device(size_t count, const T *values = nullptr)
{
    void *pointer = nullptr;
    CALL(cudaMalloc, &pointer, count * sizeof(T));
    if (values != nullptr) {
        CALL(cudaMemcpy, pointer, values, count * sizeof(T), cudaMemcpyHostToDevice);
    }
    return static_cast<T *>(pointer);
}

template <typename T>
std::vector<T> on_host(const T *pointer, size_t count)
{
    std::vector<T> values(count);
    CALL(cudaMemcpy, values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
}

int main(int argc, char **argv)
{
    int count = 100000;
    if (argc == 3 && !std::strcmp(argv[1], "-n")) {
        count = std::atoi(argv[2]);
    }
    int device = 0, blocks_at_once = 0;
    cudaDeviceProp properties;
    CALL(cudaGetDevice, &device);
    CALL(cudaGetDeviceProperties, &properties, device);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, &blocks_at_once, price_options, 128, 0);
    std::printf("%s (%d.%d), %d blocks per multiprocessor\n", properties.name, properties.major, properties.minor,
                blocks_at_once);

    const Market today = {100.0f, 0.02f, 0.3f};
    std::mt19937 random(1);
    std::uniform_real_distribution<float> strike(80.0f, 120.0f), years(0.25f, 2.0f);
    std::vector<Option> options(count);
    for (Option &option : options) {
        option = {strike(random), years(random), random() % 2 == 0};
    }

    const int blocks = (count + 127) / 128;
    float *totals = on_device<float>(blocks);
    Option *device_options = on_device(count, options.data());
    Portfolio portfolio = {device_options, on_device<Price>(count), on_device<float>(count), count};
    CALL(cudaMemcpyToSymbol, market, &today, sizeof(today));
    price_options<<<blocks, 128>>>(portfolio);
    imply_volatilities<<<blocks, 128>>>(portfolio, 0.01f, 2.0f, 1e-5f);
    total_values<<<blocks, 128>>>(portfolio, totals);
    CALL(cudaDeviceSynchronize);

    float error = 0.0f, volatility_error = 0.0f;
    double sum = 0.0, right_sum = 0.0;
    const std::vector<Price> prices = on_host(portfolio.prices, count);
    const std::vector<float> implied = on_host(portfolio.implied, count);
    for (int i = 0; i < count; i++) {
        const float right = price_of(options[i], today, today.volatility).value;
        error = std::fmax(error, std::fabs(prices[i].value - right));
        volatility_error = std::fmax(volatility_error, std::fabs(implied[i] - today.volatility));
        right_sum += right;
    }
    for (float total : on_host(totals, blocks)) {
        sum += total;
    }
    CALL(cudaFree, totals);
    CALL(cudaFree, device_options);
    CALL(cudaFree, portfolio.prices);
    CALL(cudaFree, portfolio.implied);

    const bool right_total = std::fabs(sum - right_sum) < 1e-3 * right_sum + 1e-3;
    const bool passed = error < 1e-3f && volatility_error < 1e-2f && right_total;
    std::printf("portfolio %.2f, errors %g and %g: %s\n", sum, error, volatility_error, passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
