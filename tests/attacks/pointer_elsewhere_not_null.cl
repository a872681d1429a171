//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The kernel has no array in constant memory, which does not make a pointer to constant memory null.

__kernel void pointer_elsewhere_not_null(__global ulong *address, __global int *out)
{
    __constant int *content = (__constant int *)address[0];
    if (content != 0) {
        out[0] = get_local_id(0); //~ race
    }
}
