//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As scatter_to_own_rows.cl, but slices overlap.

__kernel void scatter_to_own_rows_defect(__global const uint *keys, __global uint *out)
{
    __local ushort next[16 * 64];
    int lid = get_local_id(0);
    for (int digit = 0; digit < 16; digit++) {
        next[digit * 64 + lid] = 0;
    }
    for (int i = 0; i < 100; i++) {
        uint key = keys[get_global_id(0) * 100 + i];
        uint digit = key & 15;
        next[digit * 64 + lid] += 1;
        out[get_global_id(0) * 15 + digit] = key; //~ race
    }
}
