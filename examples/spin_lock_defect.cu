//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=32
// As spin_lock.cu, with the count outside of the lock.

__global__ void spin_lock(int *lock, float *sum, unsigned *count, const float *values)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += values[blockIdx.x];
        __threadfence();
        atomicExch(lock, 0);
        *count += 1; //~ race
    }
}
