//pass
//--local_size=64 --num_groups=16
// A computed number of events is waited for.

__kernel void async_events_counted(__global int *a, __local int *l, __global int *b, int two)
{
    event_t events[2];
    int n = 0;
    events[n++] = async_work_group_copy(l, a, 64, 0);
    if (two) {
        events[n++] = async_work_group_copy(l + 64, a, 64, 0);
    }
    wait_group_events(n, events);
    b[get_global_id(0)] = l[63 - get_local_id(0)];
}
