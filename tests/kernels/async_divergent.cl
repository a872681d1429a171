//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Not all work-items of the group start the copy.

__kernel void async_divergent(__global const int *in, __global int *out)
{
    __local int tile[64];
    if (get_local_id(0) < 32) {
        event_t copy = async_work_group_copy(tile, in, 64, 0); //~ barrier-divergence start
        wait_group_events(1, &copy); //~ barrier-divergence wait
    }
}
