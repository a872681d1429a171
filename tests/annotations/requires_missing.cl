//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
__kernel void requires_missing(__global int *rows, uint length)
{
    rows[get_group_id(0) * length + get_local_id(0)] = get_local_id(0); //~ race
}
