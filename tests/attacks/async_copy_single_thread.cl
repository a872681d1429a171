//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=4
// A group of one thread still races with its own copy.

__kernel void async_copy_single_thread(__global const int *in, __global int *out)
{
    __local int tile[64];
    event_t event = async_work_group_copy(tile, in, 64, 0); //~ race
    out[get_group_id(0)] = tile[3]; //~ race
    wait_group_events(1, &event);
}
