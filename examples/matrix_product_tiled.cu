//pass
//--local_size=[16,16] --num_groups=[4,4]
// The tiled matrix product: a block computes a tile of C, loading a tile of A and one of B per
// round. Two barriers a round: one before the tiles are used, one before they are overwritten.

template <int N, int TILE>
__global__ void __launch_bounds__(TILE * TILE)
matrix_product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int column = blockIdx.x * TILE + tx;
    int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int t = 0; t < N / TILE; t++) {
        tile_a[ty][tx] = a[row * N + t * TILE + tx];
        tile_b[ty][tx] = b[(t * TILE + ty) * N + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    c[row * N + column] = sum;
}

template __global__ void matrix_product<64, 16>(const float *, const float *, float *);
