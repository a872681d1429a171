//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The last work-item writes behind the end of an array of known size.

__kernel void local_out_of_bounds(__global int *out)
{
    __local int a[64];
    a[get_local_id(0) + 1] = 1; //~ out-of-bounds
}
