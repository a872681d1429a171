//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// As distance_as_integer.cu, but the integer is another one for each block: their rows may meet.

__global__ void fill(char *rows, long long distance) {
    int *row = reinterpret_cast<int *>(reinterpret_cast<long long>(rows) + distance * blockIdx.x);
    row[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x; //~ race
}
