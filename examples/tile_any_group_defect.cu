//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As tile_any_group.cu, but all tiles have the same scratch memory: what orders the threads of one tile does not
// order those of another.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int sum_over(cg::thread_group group, int *scratch, int value)
{
    int rank = group.thread_rank();
    for (int half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value; //~ race write read
        group.sync();
        if (rank < half) {
            value += scratch[rank + half]; //~ race read
        }
        group.sync();
    }
    return value;
}

__global__ void sums(const int *in, int *of_blocks, int *of_tiles)
{
    __shared__ int scratch[64];
    cg::thread_block block = cg::this_thread_block();
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    int sum = sum_over(block, scratch, value);
    if (block.thread_rank() == 0) {
        of_blocks[blockIdx.x] = sum;
    }
    block.sync();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    sum = sum_over(tile, scratch, value);
    if (tile.thread_rank() == 0) {
        of_tiles[blockIdx.x * 4 + threadIdx.x / 16] = sum;
    }
}

int main()
{
    const int blocks = 16, n = blocks * 64;
    int *in, *of_blocks, *of_tiles;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&of_blocks, blocks * sizeof(int));
    cudaMallocManaged(&of_tiles, n / 16 * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i % 5;
    }
    sums<<<blocks, 64>>>(in, of_blocks, of_tiles);
    cudaDeviceSynchronize();
    bool right = true;
    for (int block = 0; block < blocks; block++) {
        int sum = 0;
        for (int tile = 0; tile < 4; tile++) {
            sum += of_tiles[block * 4 + tile];
        }
        right = right && of_blocks[block] == sum;
    }
    cudaFree(in);
    cudaFree(of_blocks);
    cudaFree(of_tiles);
    return right ? 0 : 1;
}
