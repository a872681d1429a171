//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --kernel-args=kernel_args_struct_written_defect,0x0000000700000040,*

struct layout {
    int stride;
    int offset[1];
};

__kernel void kernel_args_struct_written_defect(__global int *out, struct layout l, int n)
{
    __private int *offset = l.offset;
    offset[n & 0] += get_local_id(0);
    __assert(l.offset[0] == 8 + get_local_id(0)); //~ assertion
    out[get_group_id(0) * l.stride + l.offset[0]] = 1 + get_local_id(0);
}
