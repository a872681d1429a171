//pass
//--block-dim=64 --grid-dim=4 --assume='row >= 256' --assume='rows < 1000 && unused != 0'
// What is said of arguments on the command line, where the types of parameters are those of C++.

__global__ void fill(float *out, size_t row, unsigned long long rows, signed char unused) {
    for (unsigned long long y = 0; y < rows; y++) {
        out[y * row + blockIdx.x * blockDim.x + threadIdx.x] = 0;
    }
}
