//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
// Each thread comes to the barrier in a round of its own, and leaves the loop behind it.

__global__ void barrier_in_other_rounds(unsigned *lock, int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        data[0] += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
    bool done = false;
    unsigned i = 0;
    while (!done) {
        if (i == threadIdx.x) {
            __syncthreads(); //~? barrier-divergence
            data[1 + blockIdx.x * 64 + threadIdx.x] = i;
            done = true;
        }
        i++;
    }
}
