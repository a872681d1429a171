//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As barriers_between_phases.cl, but the step is one too small.

__kernel void barriers_between_phases_defect(__global const float *in, __global float *out, int tiles)
{
    __local float tile[64];
    int lid = get_local_id(0);
    int at = get_global_id(0);
    for (int t = 0; t < tiles; t++) {
        tile[lid] = in[t * 64 + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++) {
            out[at] = tile[(lid + j) & 63] + get_global_id(0); //~ race
            at += 127;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
