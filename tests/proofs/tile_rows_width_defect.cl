//xfail:NOT_ALL_VERIFIED
//--local_size=32x8 --num_groups=4x4
// As tile_rows_width.cl, but a column too many.

__kernel void tile_rows_width_defect(__global const float *in, __global float *out, int width, int height)
{
    __local float tile[32][33];
    int x = get_group_id(0) * 32 + get_local_id(0);
    int y = get_group_id(1) * 32 + get_local_id(1);
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) {
            tile[get_local_id(1) + j][get_local_id(0)] = in[(y + j) * width + x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + get_local_id(0);
    y = get_group_id(0) * 32 + get_local_id(1);
    for (int j = 0; j < 32; j += 8) {
        if (x <= height && y + j < width) {
            out[(y + j) * height + x] = tile[get_local_id(0)][get_local_id(1) + j]; //~ race
        }
    }
}
