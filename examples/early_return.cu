//pass
//--local_size=64 --num_groups=16
// The threads beyond the end of the data do nothing but still come to the barrier, as every
// thread of a block must.

constexpr int BLOCK = 64;

__global__ void __launch_bounds__(BLOCK) differences(const int *in, int *out, int n)
{
    __shared__ int tile[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;

    if (gid < n) {
        tile[t] = in[gid];
    }
    __syncthreads();
    if (gid < n && t > 0) {
        out[gid] = tile[t] - tile[t - 1];
    }
}
