//pass
//--local_size=16 --num_groups=1 --assume 'offset >= 0 && matrix_dim >= 16 && offset <= matrix_dim - 16'
// LU decomposition by blocks, the block on the diagonal: one group factors it in local memory, column after column.

#define BLOCK_SIZE 16

__kernel void lud_diagonal(__global float *m, int matrix_dim, int offset)
{
    __local float shadow[BLOCK_SIZE][BLOCK_SIZE];
    int tx = get_local_id(0);

    int array_offset = offset * matrix_dim + offset;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        shadow[i][tx] = m[array_offset + tx];
        array_offset += matrix_dim;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < BLOCK_SIZE - 1; i++) {
        if (tx > i) {
            for (int j = 0; j < i; j++)
                shadow[tx][i] -= shadow[tx][j] * shadow[j][i]; //~ race w
            shadow[tx][i] /= shadow[i][i]; //~ race v
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (tx > i) {
            for (int j = 0; j < i + 1; j++)
                shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx]; //~ race v w
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    array_offset = (offset + 1) * matrix_dim + offset;
    for (int i = 1; i < BLOCK_SIZE; i++) {
        m[array_offset + tx] = shadow[i][tx];
        array_offset += matrix_dim;
    }
}
