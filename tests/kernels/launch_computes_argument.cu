//pass
//
// As many cells in each half as there are threads: the argument is computed from the size.
__global__ void halves(int *cells, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i;
    cells[count + i] = -i;
}

int main(int count, char **)
{
    int blocks = min(count, 1000);
    int *cells;
    cudaMalloc(&cells, 256 * blocks * sizeof(int));
    halves<<<blocks, 128>>>(cells, 128 * blocks);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
