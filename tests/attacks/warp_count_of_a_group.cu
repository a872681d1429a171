//pass
//--block-dim=64 --grid-dim=4
// The count is the same for all threads of the block: all of them come to the barrier or none.

__global__ void counted(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    int positive = __syncthreads_count(in[i] > 0);
    if (positive > 10) {
        cells[t] = in[i];
        __syncthreads();
        out[i] = cells[63 - t];
    }
}
