//pass
//--local_size=64 --num_groups=4 --kernel-args=kernel_args_struct_written,0x0000000700000040,*

// Each thread has a copy of its own to change.
struct layout {
    int stride;
    int offset[1];
};

__kernel void kernel_args_struct_written(__global int *out, struct layout l, int n)
{
    __private int *offset = l.offset;
    offset[n & 0] += get_local_id(0);
    __assert(l.offset[0] == 7 + get_local_id(0));
    out[get_group_id(0) * l.stride + l.offset[0]] = 1 + get_local_id(0);
}
