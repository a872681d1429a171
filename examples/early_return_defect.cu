//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As early_return.cu, but the threads beyond the end of the data return before the barrier at
// which the others of their block wait for them.

constexpr int BLOCK = 64;

__global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;

    if (gid >= n) {
        return;
    }
    tile[t] = in[gid];
    __syncthreads(); //~ barrier-divergence
    if (t > 0) {
        out[gid] = tile[t] - tile[t - 1];
    }
}
