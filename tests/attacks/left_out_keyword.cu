//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The keyword is misspelled: it is no function for the host.
__gobal__ void k(float *cells)
{
    cells[threadIdx.x / 2] = threadIdx.x;
}

__global__ void other(float *cells)
{
    cells[threadIdx.x] = 0;
}
