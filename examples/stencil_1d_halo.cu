//pass
//--local_size=64 --num_groups=16
// A three-point stencil: a block loads its 64 elements and one more on either side into shared
// memory. The input has one element of border at each end.

constexpr int BLOCK = 64;

__global__ void __launch_bounds__(BLOCK) stencil_1d(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[BLOCK + 2];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;

    tile[t + 1] = in[gid + 1];
    if (t == 0) {
        tile[0] = in[gid];
    }
    if (t == BLOCK - 1) {
        tile[BLOCK + 1] = in[gid + 2];
    }
    __syncthreads();

    out[gid] = 0.25f * tile[t] + 0.5f * tile[t + 1] + 0.25f * tile[t + 2];
}
