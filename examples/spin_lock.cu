//pass
//--local_size=64 --num_groups=32
// A lock for each bin, around two additions that belong together. Fences behind the acquisition and
// before the lock is given back let each holder see what the last one has written.

__global__ void spin_lock(int *locks, float *sums, unsigned *counts, const unsigned *bins, const float *values)
{
    if (threadIdx.x == 0) {
        unsigned bin = bins[blockIdx.x];
        while (atomicCAS(&locks[bin], 0, 1) != 0) {
        }
        __threadfence();
        sums[bin] += values[blockIdx.x];
        counts[bin] += 1;
        __threadfence();
        atomicExch(&locks[bin], 0);
    }
}
