//pass
//--local_size=64 --num_groups=1
// Sixteen bytes are set, sixteen apart.

__kernel void memset_inline_apart(__global int *data)
{
    __builtin_memset_inline(data + 4 * get_global_id(0), (int)get_global_id(0), 16);
}
