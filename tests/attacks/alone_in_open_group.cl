//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// Wrong only where a group has a single thread: no pair of threads of one group sees it.

__kernel void alone_in_open_group(__global int *out)
{
    __local int a[1024];
    a[get_local_size(0) == 1 ? 2000 : get_local_id(0)] = 1; //~ out-of-bounds
}
