//pass
//--local_size=64 --num_groups=4
// Two waits for computed numbers of events, the second for those behind the first.

__kernel void copies_waited_in_two_parts(__global int *data, int n)
{
    __local int tiles[4][64];
    event_t events[4];
    for (int i = 0; i < 4; i++) {
        events[i] = async_work_group_copy(tiles[i], data + 64 * i, 64, 0);
    }
    int first = n > 0 && n < 4 ? n : 1;
    wait_group_events(first, events);
    wait_group_events(4 - first, events + first);
    data[256 + get_global_id(0)] = tiles[get_local_id(0) % 4][get_local_id(0)];
}
