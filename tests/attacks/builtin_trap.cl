//pass
//--local_size=64 --num_groups=1
// Nothing behind a trap happens.

__kernel void trap(__global int *data)
{
    if (get_global_id(0) != 3)
        __builtin_trap();
    data[0] = get_global_id(0);
}
