// racy
// run: --local-size 64 --num-groups 2
// The barrier orders global memory only.

__kernel void local_rotation(__global int *out)
{
    __local int cells[64];
    uint t = get_local_id(0);
    cells[t] = t; //~ race
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = cells[63 - t]; //~ race
}
