//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As pointer_elsewhere_not_null.cl, with a pointer that a loop carries.

__kernel void pointer_elsewhere_in_loop(__global ulong *address, __global int *out, int n)
{
    __constant int *content = (__constant int *)address[0];
    for (int i = 0; i < n; i++)
        content = content + 1;
    if (content != 0) {
        out[0] = get_local_id(0); //~ race
    }
}
