//unknown
//--local_size=64 --num_groups=1
// Clang passes the value through a function of its own.

__kernel void annotation(__global int *data)
{
    data[__builtin_annotation((int)get_global_id(0), "x")] = 1; //~ unsupported
}
