//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A fence orders the accesses of one work-item and waits for nobody.

__kernel void fence_is_no_barrier(__global int *out)
{
    __local int a[64];
    uint lid = get_local_id(0);
    a[lid] = lid; //~ race
    mem_fence(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[63 - lid]; //~ race
}
