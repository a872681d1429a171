//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// All locks are for one bin.

__global__ void lock_of_bins(int *locks, int *bins, const unsigned *keys)
{
    if (threadIdx.x == 0) {
        unsigned k = keys[blockIdx.x] % 16;
        while (atomicCAS(&locks[k], 0, 1) != 0) {
        }
        __threadfence();
        bins[0] += 1; //~ race
        __threadfence();
        atomicExch(&locks[k], 0);
    }
}
