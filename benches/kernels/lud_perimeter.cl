//pass
//--local_size=32 --num_groups=* --assume 'offset >= 0 && matrix_dim > 0 && matrix_dim >= offset + 16 * get_num_groups(0) + 16'
// LU decomposition by blocks, the blocks in the same row and column as the one on the diagonal: half of a group works
// on a block of the row, the other half on one of the column; all three blocks are in local memory.

#define BLOCK_SIZE 16

__kernel void lud_perimeter(__global float *m, int matrix_dim, int offset)
{
    __local float dia[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_row[BLOCK_SIZE][BLOCK_SIZE];
    __local float peri_col[BLOCK_SIZE][BLOCK_SIZE];
    int bx = get_group_id(0);
    int tx = get_local_id(0);
    int idx;

    if (tx < BLOCK_SIZE) {
        idx = tx;
        int array_offset = offset * matrix_dim + offset;
        for (int i = 0; i < BLOCK_SIZE / 2; i++) {
            dia[i][idx] = m[array_offset + idx]; //~ race a1 a2 a3
            array_offset += matrix_dim;
        }
        array_offset = offset * matrix_dim + offset;
        for (int i = 0; i < BLOCK_SIZE; i++) {
            peri_row[i][idx] = m[array_offset + (bx + 1) * BLOCK_SIZE + idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = tx - BLOCK_SIZE;
        int array_offset = (offset + BLOCK_SIZE / 2) * matrix_dim + offset;
        for (int i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++) {
            dia[i][idx] = m[array_offset + idx]; //~ race b1 b2 b3
            array_offset += matrix_dim;
        }
        array_offset = (offset + (bx + 1) * BLOCK_SIZE) * matrix_dim + offset;
        for (int i = 0; i < BLOCK_SIZE; i++) {
            peri_col[i][idx] = m[array_offset + idx]; //~ race c2 c3
            array_offset += matrix_dim;
        }
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    if (tx < BLOCK_SIZE) {
        idx = tx;
        for (int i = 1; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++)
                peri_row[i][idx] -= dia[i][j] * peri_row[j][idx]; //~ race a1 b1
        }
    } else {
        idx = tx - BLOCK_SIZE;
        for (int i = 0; i < BLOCK_SIZE; i++) {
            for (int j = 0; j < i; j++)
                peri_col[idx][i] -= peri_col[idx][j] * dia[j][i]; //~ race a2 b2 c2
            peri_col[idx][i] /= dia[i][i]; //~ race a3 b3 c3
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (tx < BLOCK_SIZE) {
        idx = tx;
        int array_offset = (offset + 1) * matrix_dim + offset;
        for (int i = 1; i < BLOCK_SIZE; i++) {
            m[array_offset + (bx + 1) * BLOCK_SIZE + idx] = peri_row[i][idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = tx - BLOCK_SIZE;
        int array_offset = (offset + (bx + 1) * BLOCK_SIZE) * matrix_dim + offset;
        for (int i = 0; i < BLOCK_SIZE; i++) {
            m[array_offset + idx] = peri_col[i][idx];
            array_offset += matrix_dim;
        }
    }
}
