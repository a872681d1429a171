//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As matrix_product_tiled.cl, without the second barrier of a round: fast work-items overwrite
// the tiles with those of the next round while slow ones still read them.

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
        tile_a[ly][lx] = a[row * N + t * TILE + lx]; //~ race a
        tile_b[ly][lx] = b[(t * TILE + ly) * N + column]; //~ race b
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[ly][k] * tile_b[k][lx]; //~ race a b
        }
    }
    c[row * N + column] = sum;
}
