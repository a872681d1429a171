//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The stride is taken for the one of a larger tile.

__global__ void shared_far(const int *in, int *out)
{
    __shared__ int tile[64];
    unsigned t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    tile[t * 33] = in[g]; //~ out-of-bounds
    __syncthreads();
    out[g] = tile[t * 33];
}
