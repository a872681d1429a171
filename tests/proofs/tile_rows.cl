//pass
//--local_size=32x8 --num_groups=4x4
// A tile of 32 by 32 filled by 32 by 8 threads.

__kernel void tile_rows(__global const float *in, __global float *out)
{
    __local float tile[32][33];
    int x = get_group_id(0) * 32 + get_local_id(0);
    int y = get_group_id(1) * 32 + get_local_id(1);
    for (int j = 0; j < 32; j += 8) {
        tile[get_local_id(1) + j][get_local_id(0)] = in[(y + j) * 128 + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + get_local_id(0);
    y = get_group_id(0) * 32 + get_local_id(1);
    for (int j = 0; j < 32; j += 8) {
        out[(y + j) * 128 + x] = tile[get_local_id(0)][get_local_id(1) + j];
    }
}
