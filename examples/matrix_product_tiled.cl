//pass
//--local_size=[16,16] --num_groups=[4,4]
// The tiled matrix product: a group computes a tile of C, loading a tile of A and one of B per
// round. Two barriers a round: one before the tiles are used, one before they are overwritten.

#define N 64
#define TILE 16

__kernel void matrix_product(__global const float *a, __global const float *b, __global float *c)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    int lx = get_local_id(0);
    int ly = get_local_id(1);
    int column = get_global_id(0);
    int row = get_global_id(1);

    float sum = 0.0f;
    for (int t = 0; t < N / TILE; t++) {
        tile_a[ly][lx] = a[row * N + t * TILE + lx];
        tile_b[ly][lx] = b[(t * TILE + ly) * N + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[ly][k] * tile_b[k][lx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * N + column] = sum;
}
