// lockstep verify LS0125.cu --block-dim=64
__global__ void add_up(int *lock, float *sum, const float *values)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += values[blockIdx.x];
        __threadfence();
        atomicExch(lock, 0);
        atomicExch(lock, 0);  // by now another block may hold it
    }
}
// mended
__global__ void add_up(int *lock, float *sum, const float *values)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += values[blockIdx.x];
        __threadfence();
        atomicExch(lock, 0);
    }
}
