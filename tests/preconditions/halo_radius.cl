//conditional: radius <= 8
//--local-size=64 --num-groups=*
// contract: radius >= 0 && radius <= 8
// The tile has room for eight elements on either side.

#define SIZE 64
#define HALO 8

__kernel void blur(__global const float *in, __global float *out, int radius)
{
    __local float tile[SIZE + 2 * HALO];
    int lid = get_local_id(0), gid = get_global_id(0);
    tile[lid + HALO] = in[gid + HALO];
    if (lid < HALO) {
        tile[lid] = in[gid];
        tile[lid + SIZE + HALO] = in[gid + SIZE + HALO];
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    float sum = 0.0f;
    for (int i = -radius; i <= radius; i++)
        sum += tile[lid + HALO + i];
    out[gid] = sum;
}
