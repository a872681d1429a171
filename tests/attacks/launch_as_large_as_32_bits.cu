//pass
//--blockDim=1024 --gridDim=4194304
// The last thread has the largest number of 32 bits.

__global__ void fill(unsigned *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; }
