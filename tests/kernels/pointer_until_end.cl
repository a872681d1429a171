//pass
//--local_size=64 --num_groups=16
// A loop that runs until a pointer reaches the end.

__kernel void pointer_until_end(__global int *a, int n)
{
    __global int *end = a + n;
    for (__global int *p = a + get_global_id(0); p < end; p += get_global_size(0)) {
        *p = get_global_id(0);
    }
}
