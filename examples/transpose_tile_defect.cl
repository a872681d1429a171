//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As transpose_tile.cl, without the barrier: a work-item reads an element of the tile that
// another one has perhaps not written yet.

#define TILE 16

__kernel void transpose(__global const float *in, __global float *out)
{
    __local float tile[TILE][TILE + 1];
    uint width = get_global_size(0);
    uint height = get_global_size(1);
    uint lx = get_local_id(0);
    uint ly = get_local_id(1);

    tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)]; //~ race

    uint x = get_group_id(1) * TILE + lx;
    uint y = get_group_id(0) * TILE + ly;
    out[y * height + x] = tile[lx][ly]; //~ race
}
