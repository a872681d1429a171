//xfail:NOT_ALL_VERIFIED
//
// The halves are too short for the threads.
__global__ void halves(int *cells, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i; //~ race a b
    cells[count + i] = -i; //~ race a b
}

int main(int count, char **)
{
    int blocks = min(count, 1000);
    int *cells;
    cudaMalloc(&cells, 256 * blocks * sizeof(int));
    halves<<<blocks, 128>>>(cells, 120 * blocks);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
