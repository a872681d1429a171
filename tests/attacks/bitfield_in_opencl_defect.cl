//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As bitfield_in_opencl.cl, but neighbours share a unit.
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable

struct tag {
    uint kind : 3;
    uint level : 5;
};

__kernel void bitfield_in_opencl_defect(__global struct tag *tags)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        tags[gid / 2].level = 3; //~ race
    } else {
        tags[gid / 2].kind = 4; //~ race
    }
}
