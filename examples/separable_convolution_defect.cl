//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As separable_convolution.cl, without the barrier between the passes: the second pass reads
// row sums that other work-items may not have written yet.

#define WIDTH 64
#define TILE 16
#define RADIUS 2
#define PADDED (TILE + 2 * RADIUS)

__constant float weights[2 * RADIUS + 1] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

__kernel void separable_convolution(__global const float *in, __global float *out)
{
    __local float tile[PADDED][PADDED];
    __local float rows[PADDED][TILE];
    int lx = get_local_id(0);
    int ly = get_local_id(1);
    int left = get_group_id(0) * TILE;
    int top = get_group_id(1) * TILE;

    for (int y = ly; y < PADDED; y += TILE) {
        for (int x = lx; x < PADDED; x += TILE) {
            tile[y][x] = in[(top + y) * (WIDTH + 2 * RADIUS) + left + x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int y = ly; y < PADDED; y += TILE) {
        float sum = 0.0f;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += weights[k] * tile[y][lx + k];
        }
        rows[y][lx] = sum; //~ race
    }

    float sum = 0.0f;
    for (int k = 0; k <= 2 * RADIUS; k++) {
        sum += weights[k] * rows[ly + k][lx]; //~ race
    }
    out[(top + ly) * WIDTH + left + lx] = sum;
}
