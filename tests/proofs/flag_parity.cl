//pass
//--local_size=64 --num_groups=2
// A phase that alternates between two halves of local memory.

__kernel void flag_parity(__global const float *in, __global float *out, int n)
{
    __local float tile[128];
    int lid = get_local_id(0);
    int half_ = 0;
    float sum = 0;
    tile[lid] = in[lid];
    for (int t = 1; t < n; t++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[(half_ ^ 64) + lid] = in[t * 64 + lid];
        sum += tile[half_ + 63 - lid];
        half_ ^= 64;
    }
    out[get_global_id(0)] = sum;
}
