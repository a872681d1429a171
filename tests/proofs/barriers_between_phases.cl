//pass
//--local_size=64 --num_groups=2
// Tiles are loaded in an outer loop, used in an inner one, the running index survives both.

__kernel void barriers_between_phases(__global const float *in, __global float *out, int tiles)
{
    __local float tile[64];
    int lid = get_local_id(0);
    int at = get_global_id(0);
    for (int t = 0; t < tiles; t++) {
        tile[lid] = in[t * 64 + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++) {
            out[at] = tile[(lid + j) & 63] + get_global_id(0);
            at += 128;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
