//conditional: n % 32 == 0
//--block-dim=256 --grid-dim=*
// contract: n > 0 && n % 32 == 0
// All lanes of a warp come to the shuffles, or none does.

__global__ void sums(const int *in, int *out, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= n)
        return;
    int sum = in[gid];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
#ifdef DEFECT
    out[gid / 64] = sum;
#else
    if (threadIdx.x % 32 == 0)
        out[gid / 32] = sum;
#endif
}
