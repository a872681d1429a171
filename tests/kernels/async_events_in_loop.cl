//pass
//--local_size=64 --num_groups=16
// Four copies started in a loop: of each its own event is waited for, then one that all have joined.

__kernel void async_events_in_loop(__global int *a, __local int *l, __global int *b)
{
    event_t events[4];
    for (int i = 0; i < 4; i++) {
        events[i] = async_work_group_copy(l + 16 * i, a + 16 * i, 16, 0);
    }
    wait_group_events(4, events);
    b[get_global_id(0)] = l[63 - get_local_id(0)];
    event_t all = async_work_group_copy(l + 64, a, 16, 0);
    for (int i = 1; i < 4; i++) {
        all = async_work_group_copy(l + 64 + 16 * i, a + 16 * i, 16, all);
    }
    wait_group_events(1, &all);
    b[get_global_id(0)] = l[127 - get_local_id(0)];
}
