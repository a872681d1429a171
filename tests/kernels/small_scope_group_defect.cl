//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As small_scope_group.cl, but the place is that in the group: three groups are needed.

__kernel void later_groups(__global int *out)
{
    if (get_group_id(0) > 0)
        out[get_local_id(0)] = get_group_id(0); //~ race
}
