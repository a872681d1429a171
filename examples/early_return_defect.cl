//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As early_return.cl, but the work-items beyond the end of the data return before the barrier
// at which the others of their group wait for them.

#define GROUP 64

__kernel void differences(__global const int *in, __global int *out, int n)
{
    __local int tile[GROUP];
    int lid = get_local_id(0);
    int gid = get_global_id(0);

    if (gid >= n) {
        return;
    }
    tile[lid] = in[gid];
    barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    if (lid > 0) {
        out[gid] = tile[lid] - tile[lid - 1];
    }
}
