// program: bitonic sort of pairs, small strides in shared memory, a launch for each large one
// defect: merge_global: race: without the test for the lower partner both threads exchange a pair
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define SHARED_LIMIT 1024
#define CHECKED(call)                                                                  \
    do {                                                                               \
        cudaError_t e = call;                                                          \
        if (e != cudaSuccess) {                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));         \
            exit(EXIT_FAILURE);                                                        \
        }                                                                              \
    } while (0)

__device__ inline void compare_exchange(unsigned &ka, unsigned &va, unsigned &kb, unsigned &vb, bool up)
{
    if ((ka > kb) == up) {
        unsigned t = ka;
        ka = kb;
        kb = t;
        t = va;
        va = vb;
        vb = t;
    }
}

__global__ void sort_shared(unsigned *keys, unsigned *values)
{
    __shared__ unsigned k[SHARED_LIMIT];
    __shared__ unsigned v[SHARED_LIMIT];
    const unsigned tid = threadIdx.x;
    const unsigned base = blockIdx.x * SHARED_LIMIT;
    k[tid] = keys[base + tid];
    v[tid] = values[base + tid];
    k[tid + SHARED_LIMIT / 2] = keys[base + tid + SHARED_LIMIT / 2];
    v[tid + SHARED_LIMIT / 2] = values[base + tid + SHARED_LIMIT / 2];
    for (unsigned size = 2; size <= SHARED_LIMIT; size <<= 1) {
        const unsigned global_tid = blockIdx.x * (SHARED_LIMIT / 2) + tid;
        const bool up = (global_tid & (size / 2)) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            const unsigned pos = 2 * tid - (tid & (stride - 1));
            compare_exchange(k[pos], v[pos], k[pos + stride], v[pos + stride], up);
        }
    }
    __syncthreads();
    keys[base + tid] = k[tid];
    values[base + tid] = v[tid];
    keys[base + tid + SHARED_LIMIT / 2] = k[tid + SHARED_LIMIT / 2];
    values[base + tid + SHARED_LIMIT / 2] = v[tid + SHARED_LIMIT / 2];
}

__global__ void merge_global(unsigned *keys, unsigned *values, unsigned size, unsigned stride, unsigned n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned partner = i ^ stride;
#ifdef DEFECT
    if (i >= n)
        return;
#else
    if (i >= n || partner < i)
        return;
#endif
    const bool up = (i & size) == 0;
    unsigned ka = keys[i], kb = keys[partner]; //~ race
    if ((ka > kb) == up) {
        keys[i] = kb; //~ race
        keys[partner] = ka; //~ race
        unsigned t = values[i]; //~ race
        values[i] = values[partner]; //~ race
        values[partner] = t; //~ race
    }
}

static unsigned round_up_to_power_of_two(unsigned n)
{
    unsigned p = SHARED_LIMIT;
    while (p < n) p *= 2;
    return p;
}

int main(int argc, char **argv)
{
    const unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 100000;
    if (count == 0 || count > (1u << 28)) {
        fprintf(stderr, "usage: %s [count]\n", argv[0]);
        return EXIT_FAILURE;
    }
    const unsigned n = round_up_to_power_of_two(count);
    const size_t bytes = n * sizeof(unsigned);
    unsigned *keys = (unsigned *)malloc(bytes);
    unsigned *values = (unsigned *)malloc(bytes);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = i < count ? (unsigned)rand() : 0xffffffffu;
        values[i] = i;
    }
    unsigned *d_keys, *d_values;
    CHECKED(cudaMalloc((void **)&d_keys, bytes));
    CHECKED(cudaMalloc((void **)&d_values, bytes));
    CHECKED(cudaMemcpy(d_keys, keys, bytes, cudaMemcpyHostToDevice));
    CHECKED(cudaMemcpy(d_values, values, bytes, cudaMemcpyHostToDevice));

    const unsigned threads = 256;
    sort_shared<<<n / SHARED_LIMIT, SHARED_LIMIT / 2>>>(d_keys, d_values);
    for (unsigned size = 2 * SHARED_LIMIT; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            merge_global<<<n / threads, threads>>>(d_keys, d_values, size, stride, n);
        }
    }
    CHECKED(cudaGetLastError());
    CHECKED(cudaMemcpy(keys, d_keys, bytes, cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(values, d_values, bytes, cudaMemcpyDeviceToHost));
    for (unsigned i = 1; i < count; i++) {
        if (keys[i - 1] > keys[i]) {
            printf("not sorted at %u\n", i);
            return EXIT_FAILURE;
        }
    }
    printf("sorted %u pairs\n", count);
    cudaFree(d_keys);
    cudaFree(d_values);
    free(keys);
    free(values);
    return EXIT_SUCCESS;
}
