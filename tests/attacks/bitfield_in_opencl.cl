//pass
//--local_size=64 --num_groups=4
// Bit-fields, where Clang's extension allows them.
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable

struct tag {
    uint kind : 3;
    uint level : 5;
};

__kernel void bitfield_in_opencl(__global uint *out)
{
    __local struct tag tags[64];
    uint t = get_local_id(0);
    tags[t].level = 3;
    tags[t].kind = t & 7;
    out[get_global_id(0)] = tags[t].kind + tags[t].level;
}
