//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As odd_reduction_open.cl, but the halves overlap.

__kernel void odd_reduction_open_defect(__global const int *in, __global int *out)
{
    __local int sum[1024];
    uint lid = get_local_id(0);
    sum[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = get_local_size(0); n > 1; n = (n + 1) / 2) {
        if (lid < n / 2) {
            sum[lid] += sum[lid + n / 2 - 1]; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        out[get_group_id(0)] = sum[0];
    }
}
