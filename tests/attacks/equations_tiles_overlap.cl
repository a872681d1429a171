//xfail:NOT_ALL_VERIFIED
//--local_size=33 --num_groups=4
// Tiles of 32 cells, one thread too many for them.

__kernel void equations_tiles_overlap(__global uint *a)
{
    a[32 * get_group_id(0) + get_local_id(0)] = get_local_id(0); //~ race
}
