//pass
//--local_size=[16,16] --num_groups=[4,4]
// Matrix transposition through local memory: the tile is read in rows and written in rows, and
// turned in between. The padding column avoids bank conflicts; the proof doesn't mind it.

#define TILE 16

__kernel void transpose(__global const float *in, __global float *out)
{
    __local float tile[TILE][TILE + 1];
    uint width = get_global_size(0);
    uint height = get_global_size(1);
    uint lx = get_local_id(0);
    uint ly = get_local_id(1);

    tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint x = get_group_id(1) * TILE + lx;
    uint y = get_group_id(0) * TILE + ly;
    out[y * height + x] = tile[lx][ly];
}
