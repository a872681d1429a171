//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=8
// The leader tells its block a number by a volatile variable, and the next one without a barrier in
// between. A late thread reads the next number.

__global__ void broadcast_of_next_round(unsigned *next, unsigned *data, unsigned n)
{
    __shared__ volatile unsigned told;
    __shared__ unsigned first;
    if (threadIdx.x == 0)
        first = atomicAdd(next, 1);
    __syncthreads();
    unsigned number = first;
    for (unsigned i = 0; i < n; i++) {
        if (threadIdx.x == 0)
            told = blockIdx.x ^ (i & 1);
        __syncthreads();
        unsigned row = told;
        if (row == 7)
            __threadfence();
        data[((size_t)i * 8 + row) * 64 + threadIdx.x] = number; //~ race
    }
}
