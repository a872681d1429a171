//conditional: n_diff <= 8
//--local-size=* --num-groups=*
// contract: n_diff >= 1 && n_diff <= 8
// The table has eight elements, whatever the number of differences.

__kernel void table(__global float *out, __global const float *in, int n_diff)
{
    __local float table[8];
    int lid = get_local_id(0);
    if (lid < n_diff)
        table[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef DEFECT
    if (lid < n_diff)
        table[0] = out[lid];
#endif
    out[get_global_id(0)] = lid < n_diff ? table[lid] : 0.0f;
}
