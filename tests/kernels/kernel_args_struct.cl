//pass
//--local_size=64 --num_groups=4 --kernel-args=kernel_args_struct,0x0000000700000040

// The stride and the offset of a struct that the command line knows: the first is its lowest bytes.
struct layout {
    int stride;
    int offset;
};

__kernel void kernel_args_struct(__global int *out, struct layout l)
{
    __assert(l.stride == 64 && l.offset == 7);
    out[get_group_id(0) * l.stride + get_local_id(0) + l.offset] = 1 + get_local_id(0);
}
