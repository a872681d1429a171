//pass
//--local_size=64 --num_groups=1
// A copy of sixteen bytes, sixteen apart.

__kernel void memcpy_inline_apart(__global int *data, __constant int *from)
{
    __builtin_memcpy_inline(data + 4 * get_global_id(0), from, 16);
}
