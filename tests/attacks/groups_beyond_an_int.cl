//xfail:NOT_ALL_VERIFIED
//--local_size=1,8 --num_groups=*,*
// As groups_within_the_limit.cl, but nothing keeps the groups so few: far ones come to the rows of near ones.

__kernel void groups_beyond_an_int(__global int *a)
{
    int row = 32 * get_group_id(1) + get_local_id(1);
    if (get_global_id(0) == 0)
        a[row] = get_group_id(1); //~ race
}
