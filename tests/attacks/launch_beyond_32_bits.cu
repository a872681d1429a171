//pass
//--blockDim=1024 --gridDim=4194305
// More threads than 32 bits count, in 64 bits.

__global__ void fill(unsigned *p) { p[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
