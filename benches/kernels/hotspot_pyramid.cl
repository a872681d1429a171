//pass
//--local_size=16,16 --num_groups=*,* --assume 'iteration > 0 && iteration <= 7 && grid_cols > 0 && grid_rows > 0 && border_cols == iteration && border_rows == iteration'
// Temperatures on a chip: several steps of time in one launch inside a tile that shrinks with each, so that neighbouring
// groups overlap in what they read and not in what they write.

#define BLOCK_SIZE 16
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

__kernel void hotspot(int iteration, __global const float *power, __global const float *temp_src, __global float *temp_dst,
                      int grid_cols, int grid_rows, int border_cols, int border_rows, float cap, float rx, float ry,
                      float rz, float step)
{
    __local float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __local float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __local float temp_t[BLOCK_SIZE][BLOCK_SIZE];
    int bx = get_group_id(0), by = get_group_id(1);
    int tx = get_local_id(0), ty = get_local_id(1);
    float step_div_cap = step / cap;
    float rx_1 = 1 / rx, ry_1 = 1 / ry, rz_1 = 1 / rz;

    int small_block_rows = BLOCK_SIZE - iteration * 2;
    int small_block_cols = BLOCK_SIZE - iteration * 2;
    int blk_y = small_block_rows * by - border_rows;
    int blk_x = small_block_cols * bx - border_cols;
    int y = blk_y + ty, x = blk_x + tx;
    int index = grid_cols * y + x;

    if (IN_RANGE(y, 0, grid_rows - 1) && IN_RANGE(x, 0, grid_cols - 1)) {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int valid_y_min = blk_y < 0 ? -blk_y : 0;
    int valid_y_max = blk_y + BLOCK_SIZE - 1 > grid_rows - 1 ? BLOCK_SIZE - 1 - (blk_y + BLOCK_SIZE - grid_rows) : BLOCK_SIZE - 1;
    int valid_x_min = blk_x < 0 ? -blk_x : 0;
    int valid_x_max = blk_x + BLOCK_SIZE - 1 > grid_cols - 1 ? BLOCK_SIZE - 1 - (blk_x + BLOCK_SIZE - grid_cols) : BLOCK_SIZE - 1;
    int n = ty - 1 < valid_y_min ? valid_y_min : ty - 1;
    int s = ty + 1 > valid_y_max ? valid_y_max : ty + 1;
    int w = tx - 1 < valid_x_min ? valid_x_min : tx - 1;
    int e = tx + 1 > valid_x_max ? valid_x_max : tx + 1;

    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) &&
            IN_RANGE(tx, valid_x_min, valid_x_max) && IN_RANGE(ty, valid_y_min, valid_y_max)) {
            computed = true;
            float t = temp_on_cuda[ty][tx];
            float vertical = temp_on_cuda[s][tx] + temp_on_cuda[n][tx] - 2.0f * t; //~ race v
            float horizontal = temp_on_cuda[ty][e] + temp_on_cuda[ty][w] - 2.0f * t; //~ race h
            temp_t[ty][tx] = t + step_div_cap * (power_on_cuda[ty][tx] + vertical * ry_1 + horizontal * rx_1 + (80.0f - t) * rz_1);
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on_cuda[ty][tx] = temp_t[ty][tx]; //~ race v h
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}
