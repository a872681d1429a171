//pass
//--local_size=16 --num_groups=* --assume 'blk > 0 && blk >= get_num_groups(0) && block_width >= blk && cols > 0 && block_width <= (cols - 1) / 16'
// Needleman and Wunsch by blocks, the triangle behind the longest anti-diagonal of blocks: blocks count from the last
// column, the block width is that of the matrix in blocks. As the first kernel otherwise.

#define BLOCK_SIZE 16

__kernel void needle_2(__global const int *reference, __global int *matrix_cuda, int cols, int penalty, int blk, int block_width)
{
    __local int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    __local int ref[BLOCK_SIZE][BLOCK_SIZE];
    int bx = get_group_id(0);
    int tx = get_local_id(0);

    int b_index_x = bx + block_width - blk;
    int b_index_y = block_width - bx - 1;
    int index = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + (cols + 1);
    int index_n = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + tx + 1;
    int index_w = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x + cols;
    int index_nw = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;

    if (tx == 0)
        temp[tx][0] = matrix_cuda[index_nw];
    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        ref[ty][tx] = reference[index + cols * ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    temp[tx + 1][0] = matrix_cuda[index_w + cols * tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    temp[0][tx + 1] = matrix_cuda[index_n];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int m = 0; m < BLOCK_SIZE; m++) {
        if (tx <= m) {
            int t_index_x = tx + 1;
            int t_index_y = m - tx + 1;
            int diagonal = temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1];
            int left = temp[t_index_y][t_index_x - 1] - penalty;
            int up = temp[t_index_y - 1][t_index_x] - penalty;
            temp[t_index_y][t_index_x] = max(diagonal, max(left, up));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = BLOCK_SIZE - 2; m >= 0; m--) {
        if (tx <= m) {
            int t_index_x = tx + BLOCK_SIZE - m;
            int t_index_y = BLOCK_SIZE - tx;
            int diagonal = temp[t_index_y - 1][t_index_x - 1] + ref[t_index_y - 1][t_index_x - 1];
            int left = temp[t_index_y][t_index_x - 1] - penalty; //~ race left
            int up = temp[t_index_y - 1][t_index_x] - penalty; //~ race up
            temp[t_index_y][t_index_x] = max(diagonal, max(left, up)); //~ race left up out
        }
#ifdef DEFECT
        mem_fence(CLK_LOCAL_MEM_FENCE);
#else
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    for (int ty = 0; ty < BLOCK_SIZE; ty++)
        matrix_cuda[index + ty * cols] = temp[ty + 1][tx + 1]; //~ race out
}
