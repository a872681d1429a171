//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The last event is not waited for.

__kernel void async_events_miscounted(__global int *a, __local int *l, __global int *b, int n)
{
    event_t events[2];
    events[0] = async_work_group_copy(l, a, 64, 0);
    events[1] = async_work_group_copy(l + 64, a, 64, 0); //~ race
    if (n <= 1) {
        wait_group_events(n, events);
        b[get_global_id(0)] = l[64 + get_local_id(0)]; //~ race
    }
}
