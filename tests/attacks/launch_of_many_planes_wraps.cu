//xfail:NOT_ALL_VERIFIED
//--blockDim=32,32 --gridDim=65535,65535
// Rows that are too short by one for the threads' last column.

__global__ void fill(unsigned *p) {
    size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x, y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    p[y * ((size_t)gridDim.x * blockDim.x - 1) + x] = blockIdx.x; //~ race
}
