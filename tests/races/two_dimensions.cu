// race-free
// run: --block-dim 8x4 --grid-dim 2x2
// The rows of the launch are 16 threads long: every thread has a cell of its own.

__global__ void two_dimensions(int *cells)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    cells[y * 16 + x] = x - y;
}
