//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As small_scope_diagonal.cl, but the groups of a diagonal share a tile: those that meet differ in both dimensions, and
// the work-items have the same place in them.

__kernel void diagonal(__global int *out)
{
    size_t tile = get_group_id(0) + get_group_id(1);
    out[(tile * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)] = get_group_id(0); //~ race
}
