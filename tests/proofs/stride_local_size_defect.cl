//xfail:NOT_ALL_VERIFIED
//--local_size=48 --num_groups=4
// As stride_local_size.cl, but the stride is one less than the group's size.

__kernel void stride_local_size_defect(__global int *out, int n)
{
    __local int tile[4096];
    for (int i = get_local_id(0); i < 4096; i += get_local_size(0) - 1) {
        tile[i] = get_local_id(0) + n; //~ race
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[4095 - get_local_id(0)];
}
