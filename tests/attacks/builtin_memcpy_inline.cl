//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A copy of sixteen bytes reaches the next thread's.

__kernel void memcpy_inline(__global int *data, __constant int *from)
{
    __builtin_memcpy_inline(data + 2 * get_global_id(0), from, 16); //~ race
}
