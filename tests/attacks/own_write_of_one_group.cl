//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Read back is the thread's own index in its group: the same in every group.

__kernel void own_write_of_one_group(__global int *out, __global int *slot)
{
    int id = get_local_id(0);
    slot[get_global_id(0)] = id;
    out[slot[get_global_id(0)]] = get_global_id(0); //~ race
}
