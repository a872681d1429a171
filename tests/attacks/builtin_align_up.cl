//unknown
//--local_size=64 --num_groups=1
// What a pointer is aligned to is not followed.

__kernel void align_up(__global char *data)
{
    *(__global char *)__builtin_align_up(data + get_global_id(0), 16) = 1; //~ unsupported
}
