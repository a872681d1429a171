// racy
// run: --local-size 64 --num-groups 2
// The barrier orders local memory only.

__kernel void global_exchange(__global int *cells, __global int *out)
{
    uint t = get_local_id(0), first = get_group_id(0) * 64;
    cells[first + t] = t; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[first + t] = cells[first + 63 - t]; //~ race
}
