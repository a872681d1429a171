//pass
//--local_size=32 --num_groups=4
// As equations_tiles_overlap.cl, with as many threads as cells.

__kernel void equations_tiles_side_by_side(__global uint *a)
{
    a[32 * get_group_id(0) + get_local_id(0)] = get_local_id(0);
}
