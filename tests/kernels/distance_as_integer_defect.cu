//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// As distance_as_integer.cu, but all blocks write the same row.

__global__ void fill(char *rows, long long distance) {
    int *row = reinterpret_cast<int *>(reinterpret_cast<long long>(rows) + distance);
    row[threadIdx.x] = blockIdx.x; //~ race
}
