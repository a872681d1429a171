//pass
//--local_size=64 --num_groups=16
// A histogram: each block counts in shared memory with atomics, then adds its counts to the
// global ones. Atomic operations do not race with each other, whatever the data.

#define BINS 256

__global__ void histogram(const unsigned char *__restrict__ data, unsigned int *counts)
{
    __shared__ unsigned int bins[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x) {
        bins[i] = 0;
    }
    __syncthreads();

    unsigned char value = data[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(&bins[value], 1u);
    __syncthreads();

    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x) {
        atomicAdd(&counts[i], bins[i]);
    }
}
