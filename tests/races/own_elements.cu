// race-free
// run: --block-dim 32 --grid-dim 2
// Every thread changes an element of its own.

__global__ void own_elements(int *data)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i] + 1;
}
