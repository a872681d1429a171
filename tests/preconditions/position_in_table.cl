//conditional: first >= 0; first <= 32
//--local-size=32 --num-groups=*
// contract: first >= 0 && first < 30
// The threads of a group read 32 elements of a table of 64, from the first on.

__kernel void window(__global const int *in, __global int *out, int first)
{
    __local int table[64];
    int lid = get_local_id(0);
    table[lid] = in[lid];
    table[lid + 32] = in[lid + 32];
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = table[first + lid];
}
