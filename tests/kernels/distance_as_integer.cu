//pass
//--block-dim=64 --grid-dim=4
// An integer that is added to an address is no address itself.

__global__ void fill(char *rows, long long distance) {
    int *row = reinterpret_cast<int *>(reinterpret_cast<long long>(rows) + distance);
    row[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}
