// racy
// run: --block-dim 32 --grid-dim 2
// A thread reads the element of the next one, which writes it: in the same warp, and at the end of the block in
// another one.

__global__ void own_elements(int *data)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i + 1] + 1; //~ race
}
