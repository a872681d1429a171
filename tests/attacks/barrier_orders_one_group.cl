//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A barrier, even one with a global fence, orders the work-items of one group only.

__kernel void barrier_orders_one_group(__global uint *a, __global uint *out)
{
    uint gid = get_global_id(0);
    a[gid] = gid; //~ race
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[gid] = a[1023 - gid]; //~ race
}
