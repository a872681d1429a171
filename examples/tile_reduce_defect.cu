//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As tile_reduce.cu, but the threads beyond the end of the data do not come to the shuffles of their
// tile.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sums_of_blocks(const float *in, float *out, int n)
{
    __shared__ float sums[8];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (gid < n) {
        sum = in[gid];
        for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) {
            sum += tile.shfl_down(sum, distance); //~ warp-divergence
        }
    }
    if (tile.thread_rank() == 0) {
        sums[tile.meta_group_rank()] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < 8; i++) {
            sum += sums[i];
        }
        out[blockIdx.x] = sum;
    }
}

int main()
{
    const int blocks = 16, n = blocks * 64 - 20;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, blocks * sizeof(float));
    for (int i = 0; i < n; i++) {
        in[i] = 1.0f;
    }
    sums_of_blocks<<<blocks, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int b = 0; b < blocks; b++) {
        right = right && out[b] == (b < blocks - 1 ? 64 : 44);
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
