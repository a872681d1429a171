//pass
//--local_size=256 --num_groups=* --assume 'iteration > 0 && iteration < 128 && cols > 0 && border == iteration && start_step >= 0'
// The cheapest path through a grid, several rows in one launch: groups overlap by a border on both sides, in which results become
// invalid with every row.

#define BLOCK_SIZE 256
#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

__kernel void dynproc_kernel(int iteration, __global const int *gpu_wall, __global const int *gpu_src,
                             __global int *gpu_results, int cols, int rows, int start_step, int border)
{
    __local int prev[BLOCK_SIZE];
    __local int result[BLOCK_SIZE];
    int bx = get_group_id(0);
    int tx = get_local_id(0);

    int small_block_cols = BLOCK_SIZE - iteration * 2;
    int blk_x = small_block_cols * bx - border;
    int blk_x_max = blk_x + BLOCK_SIZE - 1;
    int xidx = blk_x + tx;
    int valid_x_min = blk_x < 0 ? -blk_x : 0;
    int valid_x_max = blk_x_max > cols - 1 ? BLOCK_SIZE - 1 - (blk_x_max - cols + 1) : BLOCK_SIZE - 1;
    int w = tx - 1 < valid_x_min ? valid_x_min : tx - 1;
    int e = tx + 1 > valid_x_max ? valid_x_max : tx + 1;
    bool is_valid = IN_RANGE(tx, valid_x_min, valid_x_max);

    if (IN_RANGE(xidx, 0, cols - 1))
        prev[tx] = gpu_src[xidx];
    barrier(CLK_LOCAL_MEM_FENCE);

    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
#ifdef DEFECT
        if (is_valid) {
#else
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && is_valid) {
#endif
            computed = true;
            int shortest = min(min(prev[w], prev[tx]), prev[e]);
            result[tx] = shortest + gpu_wall[cols * (start_step + i) + xidx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        gpu_results[xidx] = result[tx]; //~ race
}
