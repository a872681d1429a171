//unknown
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// Sub-group functions are refused by name and line.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

__kernel void sub_group(__global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = sub_group_reduce_add(gid); //~ unsupported
}
