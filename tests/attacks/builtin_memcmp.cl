//unknown
//--local_size=64 --num_groups=1
// A function of the C library that reads memory.

__kernel void memcmp(__global int *data, __global int *out)
{
    out[get_global_id(0)] = __builtin_memcmp((const void *)data, (const void *)(data + 4), 16); //~ unsupported
}
