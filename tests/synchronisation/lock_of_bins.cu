//pass
//--blockDim=64
// A lock for each bin.

__global__ void lock_of_bins(int *locks, int *bins, const unsigned *keys)
{
    if (threadIdx.x == 0) {
        unsigned k = keys[blockIdx.x] % 16;
        while (atomicCAS(&locks[k], 0, 1) != 0) {
        }
        __threadfence();
        bins[k] += 1;
        __threadfence();
        atomicExch(&locks[k], 0);
    }
}
