//unknown
//--local_size=64 --num_groups=1
// Memory that the kernel allocates.

__kernel void calloc(__global int *out)
{
    int *mine = __builtin_calloc(1, 4); //~ unsupported
    out[get_global_id(0)] = mine[0];
}
