//pass
//--local_size=64 --num_groups=1
// A prefetch reads nothing.

__kernel void prefetch(__global int *data)
{
    __builtin_prefetch(data + get_global_id(0) + 1, 1, 3);
    data[get_global_id(0)] = 1;
}
