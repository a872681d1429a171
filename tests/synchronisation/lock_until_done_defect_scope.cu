//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fence before the lock is given back includes the block alone.

__global__ void lock_until_done(const int *keys, int n, int *locks, int *bins)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        int key = keys[i] & 255;
        bool done = false;
        while (!done) {
            if (atomicCAS(&locks[key], 0, 1) == 0) {
                __threadfence();
                bins[key]++; //~ race
                __threadfence_block();
                atomicExch(&locks[key], 0);
                done = true;
            }
        }
    }
}
