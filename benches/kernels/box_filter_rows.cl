//pass
//--local_size=256 --num_groups=* --assume 'width > 0 && width <= 16384 && height > 0 && height <= 16384'
// Box filter along rows with a window of 17 pixels through local memory: a group covers 240 pixels of a row and 8 on each side.

#define RADIUS 8
#define TILE (256 - 2 * RADIUS)

__kernel void box_rows_tile(__global const uchar4 *source, __global float4 *dest, int width, int height)
{
    __local float4 data[256];
    int lid = get_local_id(0);
    int tiles = (width + TILE - 1) / TILE;
    int tile = get_group_id(0) % tiles;
    int row = get_group_id(0) / tiles;
    int x = tile * TILE + lid - RADIUS;

    if (row < height) {
        if (x >= 0 && x < width)
            data[lid] = convert_float4(source[row * width + x]);
        else
            data[lid] = (float4)(0.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef DEFECT
    if (row < height && x >= 0 && x < width && lid >= RADIUS) {
#else
    if (row < height && x >= 0 && x < width && lid >= RADIUS && lid < RADIUS + TILE) {
#endif
        float4 sum = (float4)(0.0f);
        for (int i = -RADIUS; i <= RADIUS; i++)
            sum += data[(lid + i) & 255];
        dest[row * width + x] = sum * (1.0f / (2 * RADIUS + 1)); //~ race
    }
}
