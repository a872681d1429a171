//pass
//--local_size=1 --num_groups=4
// As async_copy_single_thread.cl, in the right order.

__kernel void async_copy_single_thread_waited(__global const int *in, __global int *out)
{
    __local int tile[64];
    tile[5] = 1;
    event_t event = async_work_group_copy(tile, in, 64, 0);
    wait_group_events(1, &event);
    out[get_group_id(0)] = tile[3];
}
