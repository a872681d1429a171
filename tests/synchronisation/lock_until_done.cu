//pass
//--blockDim=64
// Each thread tries until it has had the lock, and works within the loop.

__global__ void lock_until_done(const int *keys, int n, int *locks, int *bins)
{
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) {
        int key = keys[i] & 255;
        bool done = false;
        while (!done) {
            if (atomicCAS(&locks[key], 0, 1) == 0) {
                __threadfence();
                bins[key]++;
                __threadfence();
                atomicExch(&locks[key], 0);
                done = true;
            }
        }
    }
}
