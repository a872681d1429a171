// race-free
// run: --local-size 64 --num-groups 2
// A group exchanges elements through global memory, which the barrier orders.

__kernel void global_exchange(__global int *cells, __global int *out)
{
    uint t = get_local_id(0), first = get_group_id(0) * 64;
    cells[first + t] = t;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[first + t] = cells[first + 63 - t];
}
