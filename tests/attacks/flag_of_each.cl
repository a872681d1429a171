//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As flag_broadcast.cl, but each work-item looks at a flag of its own.

__kernel void flag_of_each(__global const int *flags)
{
    __local int again[64];
    uint lid = get_local_id(0);
    again[lid] = flags[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (again[lid]) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
}
