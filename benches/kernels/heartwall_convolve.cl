//pass
//--local_size=256 --num_groups=*
// Tracking of points in ultrasound images: a group for each point, with scratch memory of its own; cuts a
// window out of the frame, convolves it with the point's template, cumulates the columns and finds the rows
// of largest sum, phase by phase.

#define WINDOW 41
#define TEMPLATE 21
#define CONVOLVED 61
#define THREADS 256

__kernel void track_point(__global const float *frame, int frame_rows, __global const int *point_rows,
                          __global const int *point_columns, __global const float *templates, __global float *windows,
                          __global float *convolved, __global int *best_row)
{
    __local float row_sums[CONVOLVED];
    __local int row_of[CONVOLVED];
    int point = get_group_id(0);
    int tx = get_local_id(0);
    __global float *window = windows + point * (WINDOW * WINDOW);
    __global float *result = convolved + point * (CONVOLVED * CONVOLVED);
    __global const float *pattern = templates + point * (TEMPLATE * TEMPLATE);

    int ei_new = tx;
    while (ei_new < WINDOW * WINDOW) {
        int row = ei_new % WINDOW;
        int column = ei_new / WINDOW;
        int ori = (point_columns[point] + column) * frame_rows + point_rows[point] + row;
        window[ei_new] = frame[ori]; //~ race
        ei_new += THREADS;
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif

    ei_new = tx;
    while (ei_new < CONVOLVED * CONVOLVED) {
        int i = ei_new % CONVOLVED;
        int j = ei_new / CONVOLVED;
        float s = 0.0f;
        for (int jb = max(0, j - WINDOW + 1); jb <= min(j, TEMPLATE - 1); jb++) {
            for (int ib = max(0, i - WINDOW + 1); ib <= min(i, TEMPLATE - 1); ib++) {
                s += window[(j - jb) * WINDOW + i - ib] * pattern[jb * TEMPLATE + ib]; //~ race
            }
        }
        result[ei_new] = s;
        ei_new += THREADS;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    ei_new = tx;
    while (ei_new < CONVOLVED) {
        for (int i = 1; i < CONVOLVED; i++) {
            result[ei_new * CONVOLVED + i] += result[ei_new * CONVOLVED + i - 1];
        }
        ei_new += THREADS;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    ei_new = tx;
    while (ei_new < CONVOLVED) {
        float sum = 0.0f;
        for (int j = TEMPLATE; j < CONVOLVED; j++) {
            sum += result[j * CONVOLVED + ei_new] - result[(j - TEMPLATE) * CONVOLVED + ei_new];
        }
        row_sums[ei_new] = sum;
        row_of[ei_new] = ei_new;
        ei_new += THREADS;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (tx == 0) {
        int best = 0;
        for (int i = 1; i < CONVOLVED; i++) {
            if (row_sums[i] > row_sums[best]) {
                best = row_of[i];
            }
        }
        best_row[point] = best;
    }
}
