// racy
// run: --block-dim 8x4 --grid-dim 2x2
// The rows are taken to be 8 cells long: a cell of the right blocks is one of the left blocks' next row.

__global__ void two_dimensions(int *cells)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    cells[y * 8 + x] = x - y; //~ race
}
