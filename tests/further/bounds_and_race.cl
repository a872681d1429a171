//causes: 2
//--local_size=64 --num_groups=4
// The access out of bounds ends an execution before the race behind it.

kernel void gather(global int *out, global const int *table, int k) {
    local int tile[64];
    int t = get_local_id(0);
#ifdef MENDED
    tile[t] = table[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - t];
#else
    tile[t + k] = table[get_global_id(0)]; //~ out-of-bounds //~ race
    out[get_global_id(0)] = tile[63 - t]; //~ race
#endif
}
