//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The last of four copies is not waited for.

__kernel void async_events_in_loop_one_missing(__global int *a, __local int *l, __global int *b)
{
    event_t events[4];
    for (int i = 0; i < 4; i++) {
        events[i] = async_work_group_copy(l + 16 * i, a + 16 * i, 16, 0); //~ race
    }
    wait_group_events(3, events);
    b[get_global_id(0)] = l[63 - get_local_id(0)]; //~ race
}
