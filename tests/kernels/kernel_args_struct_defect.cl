//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --kernel-args=kernel_args_struct_defect,0x000000070000003f

// Each row but the last ends in the next one.
struct layout {
    int stride;
    int offset;
};

__kernel void kernel_args_struct_defect(__global int *out, struct layout l)
{
    out[get_group_id(0) * l.stride + get_local_id(0) + l.offset] = 1 + get_local_id(0); //~ race
}
