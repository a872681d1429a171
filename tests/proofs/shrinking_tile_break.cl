//pass
//--local_size=64 --num_groups=* --assume 'rounds > 0 && rounds < 30'
// needs last-round
// As shrinking_tile.cl, but the last round is left in the middle.

__kernel void shrinking_tile_break(__global int *out, __global const int *in, int rounds)
{
    __local int tile[64];
    int lid = get_local_id(0);
    int x = (int)get_group_id(0) * (64 - 2 * rounds) + lid;
    bool computed = false;
    int v = in[x];
    tile[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        computed = false;
        if (lid > i && lid < 63 - i) {
            computed = true;
            v = tile[lid - 1] + tile[lid + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rounds - 1)
            break;
        if (computed)
            tile[lid] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        out[x] = v;
}
