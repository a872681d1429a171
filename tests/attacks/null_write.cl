//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A pointer that is null for some work-items.

__kernel void null_write(__global int *out)
{
    __global int *p = 0;
    if (get_global_id(0) > 0) {
        p = out + get_global_id(0);
    }
    *p = 1; //~ null-dereference
}
