//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Sixteen bytes are set, eight apart.

__kernel void memset_inline(__global int *data)
{
    __builtin_memset_inline(data + 2 * get_global_id(0), (int)get_global_id(0), 16); //~ race
}
