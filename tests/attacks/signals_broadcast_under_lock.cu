//xfail:NOT_ALL_VERIFIED
//--blockDim=8 --gridDim=2
// The same with a variable that is accessed under a lock.

__global__ void broadcast_under_lock(unsigned *next, unsigned *lock, unsigned *data, unsigned n)
{
    __shared__ unsigned told, first;
    if (threadIdx.x == 0)
        first = atomicAdd(next, 1);
    __syncthreads();
    unsigned number = first;
    for (unsigned i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            while (atomicCAS(lock, 0, 1) != 0) {
            }
            __threadfence();
            told = blockIdx.x ^ (i & 1);
            __threadfence();
            atomicExch(lock, 0);
        }
        __syncthreads();
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        unsigned row = told;
        __threadfence();
        atomicExch(lock, 0);
        data[((size_t)i * 8 + row) * 8 + threadIdx.x] = number; //~ race
    }
}
