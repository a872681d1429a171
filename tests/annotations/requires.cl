//pass
//--local_size=64 --num_groups=4
// Each group has a row; rows do not overlap if they are as long as a group.
__kernel void requires(__global int *rows, uint length)
{
    __requires(length >= get_local_size(0));
    __requires(length <= 1000000);
    rows[get_group_id(0) * length + get_local_id(0)] = get_global_id(0);
}
