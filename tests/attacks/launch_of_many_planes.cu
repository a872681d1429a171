//pass
//--blockDim=32,32 --gridDim=65535,65535
// Few threads in each dimension, many in all.

__global__ void fill(unsigned *p) {
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    p[y * ((size_t)gridDim.x * blockDim.x) + x] = blockIdx.x;
}
