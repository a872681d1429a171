//pass
//--local_size=64 --num_groups=32
// A lock around two additions that belong together. Fences behind the acquisition and before the lock
// is given back let each holder see what the last one has written.

__global__ void spin_lock(int *lock, float *sum, unsigned *count, const float *values)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += values[blockIdx.x];
        *count += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
