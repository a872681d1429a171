//pass
//--local_size=64 --num_groups=2
// needs recurrences
// A pipeline of three stages: a round reads one stage and fills the one after the next.

__kernel void pipeline_stages(__global const float *in, __global float *out, int rounds)
{
    __local float tile[3][64];
    int lid = get_local_id(0);
    int filled = 2, read = 0;
    float sum = 0;
    tile[0][lid] = in[lid];
    tile[1][lid] = in[64 + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        tile[filled][lid] = in[64 * r + 128 + lid];
        sum += tile[read][63 - lid];
        filled = filled + 1 == 3 ? 0 : filled + 1;
        read = read + 1 == 3 ? 0 : read + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
