//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As histogram_local.cu, but the shared counter is incremented without an atomic: two threads
// with the same byte lose a count.

#define BINS 256

__global__ void histogram(const unsigned char *__restrict__ data, unsigned int *counts)
{
    __shared__ unsigned int bins[BINS];
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x) {
        bins[i] = 0;
    }
    __syncthreads();

    unsigned char value = data[blockIdx.x * blockDim.x + threadIdx.x];
    bins[value]++; //~ race
    __syncthreads();

    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x) {
        atomicAdd(&counts[i], bins[i]);
    }
}
