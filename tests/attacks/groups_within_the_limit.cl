//pass
//--local_size=32,8 --num_groups=*,*
// A launch has fewer threads than the limit in all: 32 in one dimension leave the other so few groups that 32 times their
// number is an int.

__kernel void groups_within_the_limit(__global int *a)
{
    int row = 32 * get_group_id(1) + get_local_id(1);
    if (get_global_id(0) == 0)
        a[row] = get_group_id(1);
}
