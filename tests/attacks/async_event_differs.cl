//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A group copy wants the same event from every thread, as it wants the same addresses.

__kernel void async_event_differs(__global const int *a, __global const int *b)
{
    __local int first[64], second[64], third[64];
    event_t events[2];
    events[0] = async_work_group_copy(first, a, 64, 0);
    events[1] = async_work_group_copy(second, b, 64, 0);
    event_t mine = get_local_id(0) > 13 ? events[1] : events[0];
    async_work_group_copy(third, a, 64, mine); //~ group-operation-divergence
}
