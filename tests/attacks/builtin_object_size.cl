//unknown
//--local_size=64 --num_groups=1
// The size of an object depends on the optimiser.

__kernel void object_size(__global int *data)
{
    data[get_global_id(0)] = __builtin_object_size(data, 0); //~ unsupported
}
