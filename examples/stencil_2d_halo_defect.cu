//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As stencil_2d_halo.cu, but the output is addressed with the width of a tile instead of the
// width of the image: rows of different blocks fall on each other.

constexpr int WIDTH = 64;
constexpr int TILE = 16;

__device__ float cross(const float (&tile)[TILE + 2][TILE + 2], int x, int y)
{
    return tile[y - 1][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x];
}

__global__ void stencil_2d(const float *in, float *out)
{
    __shared__ float tile[TILE + 2][TILE + 2];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int left = blockIdx.x * TILE;
    int top = blockIdx.y * TILE;

    for (int y = ty; y < TILE + 2; y += TILE) {
        for (int x = tx; x < TILE + 2; x += TILE) {
            tile[y][x] = in[(top + y) * (WIDTH + 2) + left + x];
        }
    }
    __syncthreads();

    out[(top + ty) * TILE + left + tx] = 0.25f * cross(tile, tx + 1, ty + 1); //~ race
}
