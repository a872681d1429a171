//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The tile has no room for the neighbour of the last thread.

__global__ void shared_end(const int *in, int *out)
{
    __shared__ int tile[64];
    unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    tile[t] = in[g];
    __syncthreads();
    out[g] = tile[t] + tile[t + 1]; //~ out-of-bounds
}
