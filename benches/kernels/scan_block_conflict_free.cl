//pass
//--local_size=256 --num_groups=*
// Scan of large arrays, first level: a work-efficient exclusive scan of 512 elements in each group, the
// indices padded against bank conflicts, and the group's total for the next level.

#define LOG_NUM_BANKS 4
#define CONFLICT_FREE_OFFSET(index) ((index) >> LOG_NUM_BANKS)
#define N 512

__kernel void scan_block(__global const float *g_idata, __global float *g_odata, __global float *g_block_sums)
{
    __local float temp[N + CONFLICT_FREE_OFFSET(N)];
    int thid = get_local_id(0);
    int base = get_group_id(0) * N;
    int ai = thid;
    int bi = thid + N / 2;
    int bank_offset_a = CONFLICT_FREE_OFFSET(ai);
    int bank_offset_b = CONFLICT_FREE_OFFSET(bi);

    temp[ai + bank_offset_a] = g_idata[base + ai]; //~ race a
    temp[bi + bank_offset_b] = g_idata[base + bi]; //~ race b

    int offset = 1;
    for (int d = N >> 1; d > 0; d >>= 1) {
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (thid < d) {
            int left = offset * (2 * thid + 1) - 1;
            int right = offset * (2 * thid + 2) - 1;
            left += CONFLICT_FREE_OFFSET(left);
            right += CONFLICT_FREE_OFFSET(right);
            temp[right] += temp[left]; //~ race a b c d
        }
        offset *= 2;
    }

    if (thid == 0) {
        int last = N - 1 + CONFLICT_FREE_OFFSET(N - 1);
        g_block_sums[get_group_id(0)] = temp[last]; //~ race d
        temp[last] = 0.0f;
    }

    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (thid < d) {
            int left = offset * (2 * thid + 1) - 1;
            int right = offset * (2 * thid + 2) - 1;
            left += CONFLICT_FREE_OFFSET(left);
            right += CONFLICT_FREE_OFFSET(right);
            float t = temp[left];
            temp[left] = temp[right];
            temp[right] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    g_odata[base + ai] = temp[ai + bank_offset_a];
    g_odata[base + bi] = temp[bi + bank_offset_b];
}
