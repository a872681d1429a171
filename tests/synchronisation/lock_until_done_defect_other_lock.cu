//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is that of another bin.

__global__ void lock_until_done(const int *keys, int n, int *locks, int *bins)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        int key = keys[i] & 255;
        bool done = false;
        while (!done) {
            if (atomicCAS(&locks[key], 0, 1) == 0) {
                __threadfence();
                bins[key / 2]++; //~ race
                __threadfence();
                atomicExch(&locks[key], 0);
                done = true;
            }
        }
    }
}
