//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4 --assume='row >= 255' --assume='rows < 1000 && unused != 0'
// As assume_in_cuda.cu, but a row may be too short.

__global__ void fill(float *out, size_t row, unsigned long long rows, signed char unused) {
    for (unsigned long long y = 0; y < rows; y++) {
        out[y * row + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; //~ race
    }
}
