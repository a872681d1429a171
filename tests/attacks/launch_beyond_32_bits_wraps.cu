//xfail:NOT_ALL_VERIFIED
//--blockDim=1024 --gridDim=4194305
// The last group begins again at the first cell: the product has 32 bits.

__global__ void fill(unsigned *p) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; //~ race
}
