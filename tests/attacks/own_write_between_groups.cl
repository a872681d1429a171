//pass
//--local_size=64 --num_groups=4
// Read back is the thread's own global index.

__kernel void own_write_between_groups(__global int *out, __global int *slot)
{
    slot[get_global_id(0)] = get_global_id(0);
    out[slot[get_global_id(0)]] = get_global_id(0);
}
