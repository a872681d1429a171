//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// The leader tells its own volatile variable. That of another thread has another value.

__global__ void own_volatile(unsigned *next, unsigned *data)
{
    __shared__ unsigned drawn, told;
    volatile unsigned own = threadIdx.x;
    if (threadIdx.x == 0) {
        drawn = atomicAdd(next, 1);
        told = own;
    }
    __syncthreads();
    unsigned row = drawn, seen = told;
    if (seen == threadIdx.x)
        data[(size_t)row * 64 + threadIdx.x] = 1;
    else
        data[threadIdx.x] = blockIdx.x; //~ race
}
