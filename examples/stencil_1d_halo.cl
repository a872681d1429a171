//pass
//--local_size=64 --num_groups=16
// A three-point stencil: a group loads its 64 elements and one more on either side into local
// memory. The input has one element of border at each end.

#define GROUP 64

__kernel void stencil_1d(__global const float *in, __global float *out)
{
    __local float tile[GROUP + 2];
    int lid = get_local_id(0);
    int gid = get_global_id(0);

    tile[lid + 1] = in[gid + 1];
    if (lid == 0) {
        tile[0] = in[gid];
    }
    if (lid == GROUP - 1) {
        tile[GROUP + 1] = in[gid + 2];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    out[gid] = 0.25f * tile[lid] + 0.5f * tile[lid + 1] + 0.25f * tile[lid + 2];
}
