//xfail:NOT_ALL_VERIFIED
//--local_size=16 --num_groups=8
// As wavefront.cl, but a row instead of a diagonal.

__kernel void wavefront_defect(__global int *out, int penalty)
{
    __local int score[17][17];
    int x = get_local_id(0);
    score[0][x + 1] = -penalty * (x + 1);
    score[x + 1][0] = -penalty * (x + 1);
    if (x == 0) {
        score[0][0] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; m++) {
        if (x <= m) {
            int column = x + 1, row = m + 1;
            score[row][column] = max(score[row - 1][column - 1], max(score[row][column - 1], score[row - 1][column]) - penalty); //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int row = 0; row < 16; row++) {
        out[(get_group_id(0) * 16 + row) * 16 + x] = score[row + 1][x + 1];
    }
}
