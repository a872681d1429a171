//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As stencil_1d_halo.cl, without the barrier: a work-item may read its neighbour's element
// before the neighbour has loaded it.

#define GROUP 64

__kernel void stencil_1d(__global const float *in, __global float *out)
{
    __local float tile[GROUP + 2];
    int lid = get_local_id(0);
    int gid = get_global_id(0);

    tile[lid + 1] = in[gid + 1]; //~ race
    if (lid == 0) {
        tile[0] = in[gid];
    }
    if (lid == GROUP - 1) {
        tile[GROUP + 1] = in[gid + 2];
    }

    out[gid] = 0.25f * tile[lid] + 0.5f * tile[lid + 1] + 0.25f * tile[lid + 2]; //~ race
}
