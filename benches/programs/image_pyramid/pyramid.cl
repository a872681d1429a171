// program: image pyramid: each level halves the one below after a 3x3 blur by tiles
// defect: reduce_level: race: no barrier between the loading of the tile and the blur
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void reduce_level(__global const float *in, __global float *out, int width, int height)
{
    __local float tile[2 * TILE + 1][2 * TILE + 1];
    const int out_width = width / 2, out_height = height / 2;
    const int x = get_global_id(0), y = get_global_id(1);
    const int x0 = 2 * TILE * get_group_id(0) - 1, y0 = 2 * TILE * get_group_id(1) - 1;
    for (int ty = get_local_id(1); ty < 2 * TILE + 1; ty += TILE) {
        for (int tx = get_local_id(0); tx < 2 * TILE + 1; tx += TILE) {
            tile[ty][tx] = in[clamp(y0 + ty, 0, height - 1) * width + clamp(x0 + tx, 0, width - 1)]; //~ race
        }
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (x >= out_width || y >= out_height)
        return;
    const int cx = 2 * get_local_id(0) + 1, cy = 2 * get_local_id(1) + 1;
    float sum = 4.0f * tile[cy][cx]; //~ race
    sum += 2.0f * (tile[cy][cx - 1] + tile[cy][cx + 1] + tile[cy - 1][cx] + tile[cy + 1][cx]); //~ race
    sum += tile[cy - 1][cx - 1] + tile[cy - 1][cx + 1] + tile[cy + 1][cx - 1] + tile[cy + 1][cx + 1]; //~ race
    out[y * out_width + x] = sum / 16.0f;
}

__kernel void difference(__global float *fine, __global const float *coarse, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int cw = width / 2, ch = height / 2;
    fine[y * width + x] -= coarse[min(y / 2, ch - 1) * cw + min(x / 2, cw - 1)];
}
