//pass
//--local_size=[16,16] --num_groups=[4,4]
// Which threads make up a warp in a block of two dimensions: 32 that follow each other row by row.
// In a block of 16 by 16 these are two rows, which exchange their elements.

constexpr int SIDE = 16;

__global__ void __launch_bounds__(SIDE * SIDE) swap_rows(const float *in, float *out)
{
    __shared__ float cells[SIDE][SIDE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int i = (blockIdx.y * SIDE + y) * (gridDim.x * SIDE) + blockIdx.x * SIDE + x;
    cells[y][x] = in[i];
    __syncwarp();
    out[i] = cells[y ^ 1][x];
}
