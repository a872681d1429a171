//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The second half of the tile is read, and nobody writes it.

__global__ void uninitialised(const int *in, int *out)
{
    __shared__ int tile[128];
    unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    tile[t] = in[g];
    __syncthreads();
    out[g] = tile[t] + tile[127 - t]; //~ uninitialised-read
}
