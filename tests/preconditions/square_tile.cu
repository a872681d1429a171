//conditional: blockDim.x == blockDim.y
//--block-dim=*,* --grid-dim=1,1
// contract: blockDim.x == blockDim.y
// A tile is transposed in shared memory by a block that is as wide as it is high.

__global__ void transpose(int *a)
{
    __shared__ int tile[32 * 32];
    int x = threadIdx.x, y = threadIdx.y, width = blockDim.x;
    tile[x * width + y] = a[y * width + x];
#ifndef DEFECT
    __syncthreads();
#endif
    a[y * width + x] = tile[y * width + x];
}
