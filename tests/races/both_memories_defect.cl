// racy
// run: --local-size 64 --num-groups 1
// Of two barriers each orders one memory; the elements in global memory are read before the one that orders it.

__kernel void both_memories(__global int *cells, __global int *out)
{
    __local int copies[64];
    uint t = get_local_id(0);
    cells[t] = t; //~ race
    copies[t] = 2 * t;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = cells[63 - t] + copies[63 - t]; //~ race
    barrier(CLK_GLOBAL_MEM_FENCE);
}
