//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=32
// As spin_lock.cu, with the counts outside of the lock.

__global__ void spin_lock(int *locks, float *sums, unsigned *counts, const unsigned *bins, const float *values)
{
    if (threadIdx.x == 0) {
        unsigned bin = bins[blockIdx.x];
        while (atomicCAS(&locks[bin], 0, 1) != 0) {
        }
        __threadfence();
        sums[bin] += values[blockIdx.x];
        __threadfence();
        atomicExch(&locks[bin], 0);
        counts[bin] += 1; //~ race
    }
}
