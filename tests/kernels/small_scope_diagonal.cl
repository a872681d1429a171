//pass
//--local_size=[4,4] --num_groups=[4,4]
// Each group has a tile of its own.

__kernel void diagonal(__global int *out)
{
    size_t tile = get_group_id(0) + 4 * get_group_id(1);
    out[(tile * 4 + get_local_id(1)) * 4 + get_local_id(0)] = tile;
}
