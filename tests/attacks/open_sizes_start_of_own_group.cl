//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// The first cell of the next group's slice is written beside the first of the own one.

__kernel void open_sizes_start_of_own_group(__global int *out)
{
    if (get_local_id(0) == 0) {
        out[(get_group_id(0) + 1) * (get_local_size(0) + 1)] = get_group_id(0); //~ race
        out[get_group_id(0) * (get_local_size(0) + 1)] = get_group_id(0); //~ race
    }
}
