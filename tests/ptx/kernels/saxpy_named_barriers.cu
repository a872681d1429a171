// Saxpy with loader and compute warps: four loader warps fill two buffers of x and y, four compute
// warps use them, with a full and an empty barrier for each buffer, whose numbers are computed.
// launch: --local_size=256
// defect: the loaders take the empty barrier of the other buffer.
// also: the consumers may arrive at an empty barrier twice before the loaders come, who then wait for ever
// example: nvrtc11
// arch: 80 100
#include "instructions.h"

constexpr unsigned BUFFERS = 2, WIDTH = 128, ALL = 2 * WIDTH;

// Barriers 1 and 2 are full, 3 and 4 are empty.
__device__ __forceinline__ unsigned full(unsigned buffer) { return 1 + buffer; }
__device__ __forceinline__ unsigned empty(unsigned buffer) { return 1 + BUFFERS + buffer; }

extern "C" __global__ void __launch_bounds__(256)
saxpy_named_barriers(const float *x, const float *y, float *z, float a, unsigned rounds)
{
    __shared__ float xs[BUFFERS][WIDTH], ys[BUFFERS][WIDTH];
    unsigned t = threadIdx.x % WIDTH;
    unsigned long long first = (unsigned long long)blockIdx.x * rounds * WIDTH;
    if (threadIdx.x >= WIDTH) {
        for (unsigned k = 0; k < rounds; ++k) {
            unsigned buffer = k % BUFFERS;
#ifdef DEFECT
            barrier_sync(empty(buffer ^ 1), ALL);
#else
            barrier_sync(empty(buffer), ALL);
#endif
            xs[buffer][t] = x[first + k * WIDTH + t]; //~ race shared
            ys[buffer][t] = y[first + k * WIDTH + t]; //~ race shared
            barrier_arrive(full(buffer), ALL);
        }
    } else {
        for (unsigned buffer = 0; buffer < BUFFERS && buffer < rounds; ++buffer) {
            barrier_arrive(empty(buffer), ALL);
        }
        for (unsigned k = 0; k < rounds; ++k) {
            unsigned buffer = k % BUFFERS;
            barrier_sync(full(buffer), ALL);
            z[first + k * WIDTH + t] = a * xs[buffer][t] + ys[buffer][t]; //~ race shared
            if (rounds - k > BUFFERS) {
                barrier_arrive(empty(buffer), ALL);
            }
        }
    }
}
