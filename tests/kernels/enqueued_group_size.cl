//pass
//--local_size=64 --num_groups=4 --cl-std=CL2.0
// All groups are as large as was asked for.

__kernel void enqueued_group_size()
{
    __local int cells[64];
    cells[get_enqueued_local_size(0) - 1 - get_local_id(0)] = get_local_id(0);
}
