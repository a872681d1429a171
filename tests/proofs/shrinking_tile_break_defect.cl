//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=* --assume 'rounds > 0 && rounds < 30'
// As shrinking_tile_break.cl, but the first round's border is the last one's too.

__kernel void shrinking_tile_break_defect(__global int *out, __global const int *in, int rounds)
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
        if (lid > 0 && lid < 63) {
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
        out[x] = v; //~ race
}
