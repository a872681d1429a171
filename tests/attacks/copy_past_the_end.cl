//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A group copy of one element too many.

__kernel void copy_past_the_end(__global int *in)
{
    __local int a[64];
    event_t done = async_work_group_copy(a, in, 65, 0); //~ out-of-bounds
    wait_group_events(1, &done);
}
