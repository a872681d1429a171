//pass
//--block-dim=4,4,4 --grid-dim=1
// Lanes are counted through all dimensions, the first one fastest: planes of 16 threads, two to a warp.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = (threadIdx.z * 4 + threadIdx.y) * 4 + threadIdx.x;
    cells[t] = in[t];
    __syncwarp();
    out[t] = cells[t ^ 16];
}
