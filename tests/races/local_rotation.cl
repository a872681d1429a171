// race-free
// run: --local-size 64 --num-groups 2
// A barrier that orders local memory stands between the writes and the reads of others' elements.

__kernel void local_rotation(__global int *out)
{
    __local int cells[64];
    uint t = get_local_id(0);
    cells[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = cells[63 - t];
}
