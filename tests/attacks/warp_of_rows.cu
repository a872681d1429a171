//xfail:NOT_ALL_VERIFIED
//--block-dim=48,2 --grid-dim=1
// A row of 48 threads is no warp: thread 31 and thread 32 are in different ones.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int cells[96];
    unsigned t = threadIdx.y * 48 + threadIdx.x;
    cells[t] = in[t]; //~ race
    __syncwarp();
    out[t] = cells[threadIdx.y * 48 + 47 - threadIdx.x]; //~ race
}
