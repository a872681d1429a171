//pass
//--local_size=64 --num_groups=16
// An asynchronous copy into local memory, waited for.

__kernel void async_copy(__global const int *in, __global int *out)
{
    __local int tile[64];
    event_t copy = async_work_group_copy(tile, in + get_group_id(0) * 64, 64, 0);
    wait_group_events(1, &copy);
    out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
