//unknown
//--local_size=64 --num_groups=1
// A clock of Clang's own.

__kernel void cycles(__global ulong *data)
{
    data[get_global_id(0)] = __builtin_readcyclecounter(); //~ unsupported
}
