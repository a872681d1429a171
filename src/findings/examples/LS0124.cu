// lockstep verify LS0124.cu --block-dim=64
__global__ void add_up(int *locks, float *sums, const unsigned *keys)
{
    if (threadIdx.x == 0) {
        unsigned key = keys[blockIdx.x] % 16;
        while (atomicCAS(&locks[key], 0, 1) != 0) {
        }
        __threadfence();
        sums[key / 2] += 1.0f;  // two keys have one sum, but different locks
        __threadfence();
        atomicExch(&locks[key], 0);
    }
}
// mended
__global__ void add_up(int *locks, float *sums, const unsigned *keys)
{
    if (threadIdx.x == 0) {
        unsigned key = keys[blockIdx.x] % 16;
        while (atomicCAS(&locks[key / 2], 0, 1) != 0) {
        }
        __threadfence();
        sums[key / 2] += 1.0f;
        __threadfence();
        atomicExch(&locks[key / 2], 0);
    }
}
