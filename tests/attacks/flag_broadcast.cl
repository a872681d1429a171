//pass
//--local_size=64 --num_groups=16
// A flag in local memory decides for the whole group whether there is a second barrier.

__kernel void flag_broadcast(__global const int *flags, __global int *out)
{
    __local int again;
    __local int a[64];
    uint lid = get_local_id(0);
    if (lid == 0) {
        again = flags[get_group_id(0)];
    }
    a[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    int value = a[63 - lid];
    if (again) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[lid] = value + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        value = a[63 - lid];
    }
    out[get_global_id(0)] = value;
}
