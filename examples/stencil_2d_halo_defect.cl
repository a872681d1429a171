//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As stencil_2d_halo.cl, but the output is addressed with the width of a tile instead of the
// width of the image: rows of different groups fall on each other.

#define WIDTH 64
#define TILE 16

__kernel void stencil_2d(__global const float *in, __global float *out)
{
    __local float tile[TILE + 2][TILE + 2];
    int lx = get_local_id(0);
    int ly = get_local_id(1);
    int left = get_group_id(0) * TILE;
    int top = get_group_id(1) * TILE;

    for (int y = ly; y < TILE + 2; y += TILE) {
        for (int x = lx; x < TILE + 2; x += TILE) {
            tile[y][x] = in[(top + y) * (WIDTH + 2) + left + x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = tile[ly][lx + 1] + tile[ly + 1][lx] + tile[ly + 1][lx + 2] + tile[ly + 2][lx + 1];
    out[(top + ly) * TILE + left + lx] = 0.25f * sum; //~ race
}
