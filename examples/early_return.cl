//pass
//--local_size=64 --num_groups=16
// The work-items beyond the end of the data do nothing but still come to the barrier, as every
// work-item of a group must.

#define GROUP 64

__kernel void differences(__global const int *in, __global int *out, int n)
{
    __local int tile[GROUP];
    int lid = get_local_id(0);
    int gid = get_global_id(0);

    if (gid < n) {
        tile[lid] = in[gid];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gid < n && lid > 0) {
        out[gid] = tile[lid] - tile[lid - 1];
    }
}
