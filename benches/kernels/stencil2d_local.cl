//pass
//--local_size=16,16 --num_groups=*,* --assume 'align_pitch == get_global_size(1) + 2'
// Nine-point stencil in two dimensions: rows along dimension 0, a tile with its halo in local memory, which the work-items
// at the border of the group load in addition, corners too.

#define LROWS 16
#define LCOLS 16
#define TILE(row, col) sh[((row) + 1) * (LCOLS + 2) + (col) + 1]

__kernel void stencil_kernel(__global const float *data, __global float *new_data, const int align_pitch, const float w_center,
                             const float w_cardinal, const float w_diagonal, __local float *sh)
{
    int lrow = get_local_id(0), lcol = get_local_id(1);
    int row = get_global_id(0) + 1, col = get_global_id(1) + 1;
    int cell = row * align_pitch + col;

    TILE(lrow, lcol) = data[cell];
    if (lrow == 0)
        TILE(-1, lcol) = data[cell - align_pitch];
    else if (lrow == LROWS - 1)
        TILE(LROWS, lcol) = data[cell + align_pitch];
    if (lcol == 0)
        TILE(lrow, -1) = data[cell - 1];
    else if (lcol == LCOLS - 1)
        TILE(lrow, LCOLS) = data[cell + 1];
    if (lrow == 0 && lcol == 0)
        TILE(-1, -1) = data[cell - align_pitch - 1];
    else if (lrow == LROWS - 1 && lcol == 0)
        TILE(LROWS, -1) = data[cell + align_pitch - 1];
    else if (lrow == 0 && lcol == LCOLS - 1)
        TILE(-1, LCOLS) = data[cell - align_pitch + 1];
    else if (lrow == LROWS - 1 && lcol == LCOLS - 1)
        TILE(LROWS, LCOLS) = data[cell + align_pitch + 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    float center = TILE(lrow, lcol);
    float cardinal = TILE(lrow - 1, lcol) + TILE(lrow + 1, lcol) + TILE(lrow, lcol - 1) + TILE(lrow, lcol + 1);
    float diagonal = TILE(lrow - 1, lcol - 1) + TILE(lrow - 1, lcol + 1) + TILE(lrow + 1, lcol - 1) + TILE(lrow + 1, lcol + 1);
#ifdef DEFECT
    new_data[row * LCOLS + col] = w_center * center + w_cardinal * cardinal + w_diagonal * diagonal; //~ race
#else
    new_data[cell] = w_center * center + w_cardinal * cardinal + w_diagonal * diagonal;
#endif
}
