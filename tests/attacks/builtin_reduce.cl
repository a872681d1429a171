//unknown
//--local_size=64 --num_groups=1
// The sum of a vector's lanes is more than its first.

__kernel void reduce(__global int *data, __global int4 *from)
{
    data[__builtin_reduce_add(from[0])] = get_global_id(0); //~ unsupported
}
