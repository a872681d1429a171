//pass
//--local_size=16,16 --num_groups=*,* --assume 'm > 0 && n > 0'
// Product with a symmetric matrix of which only the lower triangle is stored: a tile is loaded as it is, transposed, or, on the
// diagonal, mirrored in local memory between two barriers.

#define TS 16

__kernel void symm_left_lower(__global const float *A, __global const float *B, __global float *C, int m, int n)
{
    __local float tile_a[TS][TS + 1];
    __local float tile_b[TS][TS + 1];
    int tx = get_local_id(0), ty = get_local_id(1);
    int by = get_group_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;

    for (int t = 0; t < (m + TS - 1) / TS; t++) {
        int a_col = t * TS + tx;
        if (t <= by) {
            tile_a[ty][tx] = row < m && a_col < m ? A[row * m + a_col] : 0.0f; //~ race
        } else {
            int a_row = t * TS + ty, a_mirrored = by * TS + tx;
            tile_a[tx][ty] = a_row < m && a_mirrored < m ? A[a_row * m + a_mirrored] : 0.0f;
        }
        tile_b[ty][tx] = t * TS + ty < m && col < n ? B[(t * TS + ty) * n + col] : 0.0f;
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (t == by && tx > ty)
            tile_a[ty][tx] = tile_a[tx][ty]; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && col < n)
        C[row * n + col] = sum;
}
