//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As stencil_1d_halo.cu, without the barrier: a thread may read its neighbour's element before
// the neighbour has loaded it.

constexpr int BLOCK = 64;

__global__ void __launch_bounds__(BLOCK) stencil_1d(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[BLOCK + 2];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;

    tile[t + 1] = in[gid + 1]; //~ race
    if (t == 0) {
        tile[0] = in[gid];
    }
    if (t == BLOCK - 1) {
        tile[BLOCK + 1] = in[gid + 2];
    }

    out[gid] = 0.25f * tile[t] + 0.5f * tile[t + 1] + 0.25f * tile[t + 2]; //~ race
}
