//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As syncwarp_2d.cu, but the rows that are swapped are two apart, and so of different warps, which
// __syncwarp does not order.

constexpr int SIDE = 16;

__global__ void __launch_bounds__(SIDE * SIDE) swap_rows(const float *in, float *out)
{
    __shared__ float cells[SIDE][SIDE];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int i = (blockIdx.y * SIDE + y) * (gridDim.x * SIDE) + blockIdx.x * SIDE + x;
    cells[y][x] = in[i]; //~ race
    __syncwarp();
    out[i] = cells[y ^ 2][x]; //~ race
}
