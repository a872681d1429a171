//pass
//--local_size=64 --num_groups=16 --cl-std=CL1.2
// Every second element is copied into local memory, asynchronously.

__kernel void async_strided(__global const int *in, __global int *out)
{
    __local int tile[64];
    event_t copy = async_work_group_strided_copy(tile, in + get_group_id(0) * 128, 64, 2, 0);
    wait_group_events(1, &copy);
    out[get_global_id(0)] = tile[get_local_id(0)];
}
