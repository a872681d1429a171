//pass
//--local_size=8,4,2 --num_groups=*,* --assume 'stride > 0 && stride % 8 == 0 && stride <= 32768 && get_global_size(1) <= 16384 && stride >= 32 * get_num_groups(0)'
// DCT of blocks of 8 by 8 pixels, in the first of two sweeps a work-item transforms a column, in the second, after a barrier, a
// row: a group has 4 by 2 blocks in padded local memory.

#define BLOCK_X 32
#define BLOCK_Y 16
#define BLOCK_SIZE 8

inline void dct8(float *d)
{
    float x07p = d[0] + d[7], x16p = d[1] + d[6], x25p = d[2] + d[5], x34p = d[3] + d[4];
    float x07m = d[0] - d[7], x61m = d[6] - d[1], x25m = d[2] - d[5], x43m = d[4] - d[3];
    float x07p34pp = x07p + x34p, x07p34pm = x07p - x34p, x16p25pp = x16p + x25p, x16p25pm = x16p - x25p;
    d[0] = 0.3535534f * (x07p34pp + x16p25pp);
    d[2] = 0.3535534f * (1.3065630f * x07p34pm + 0.5411961f * x16p25pm);
    d[4] = 0.3535534f * (x07p34pp - x16p25pp);
    d[6] = 0.3535534f * (0.5411961f * x07p34pm - 1.3065630f * x16p25pm);
    d[1] = 0.3535534f * (1.3870398f * x07m - 1.1758756f * x61m + 0.7856949f * x25m - 0.2758994f * x43m);
    d[3] = 0.3535534f * (1.1758756f * x07m + 0.2758994f * x61m - 1.3870398f * x25m + 0.7856949f * x43m);
    d[5] = 0.3535534f * (0.7856949f * x07m + 1.3870398f * x61m + 0.2758994f * x25m - 1.1758756f * x43m);
    d[7] = 0.3535534f * (0.2758994f * x07m + 0.7856949f * x61m + 1.1758756f * x25m + 1.3870398f * x43m);
}

__kernel void dct8x8(__global float *dst, __global const float *src, uint stride)
{
    __local float tile[BLOCK_Y][BLOCK_X + 1];
    const uint lane = get_local_id(0);
    const uint block_x = get_local_id(1) * BLOCK_SIZE;
    const uint block_y = get_local_id(2) * BLOCK_SIZE;
    const uint global_x = get_group_id(0) * BLOCK_X + block_x + lane;
    const uint global_y = get_group_id(1) * BLOCK_Y + block_y;
    float d[BLOCK_SIZE];

    for (uint i = 0; i < BLOCK_SIZE; i++)
        d[i] = src[(global_y + i) * stride + global_x];
    dct8(d);
    for (uint i = 0; i < BLOCK_SIZE; i++)
        tile[block_y + i][block_x + lane] = d[i]; //~ race
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint i = 0; i < BLOCK_SIZE; i++)
        d[i] = tile[block_y + lane][block_x + i]; //~ race
    dct8(d);
    for (uint i = 0; i < BLOCK_SIZE; i++)
        dst[(global_y + lane) * stride + get_group_id(0) * BLOCK_X + block_x + i] = d[i];
}
