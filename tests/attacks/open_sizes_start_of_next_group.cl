//pass
//--local_size=* --num_groups=* --timeout=10
// Each group writes the first cell of the next one's slice: a product of two unknowns, whatever the sizes are.

__kernel void open_sizes_start_of_next_group(__global int *out)
{
    if (get_local_id(0) == 0) {
        out[(get_group_id(0) + 1) * (get_local_size(0) + 1)] = get_group_id(0);
    }
}
