//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=* --assume 'get_local_size(0) % 32 == 0'
// A group has a row for each 32 work-items, and counts its rows in steps of 16: its upper rows are those of the next group.
__kernel void rows_of_half_warps(__global int *out, const int columns)
{
    const int row = get_group_id(0) * (get_local_size(0) / 32) + get_local_id(0) / 16;
    for (int i = get_local_id(0) % 16; i < columns; i += 16)
        out[(size_t)row * columns + i] = get_global_id(0); //~ race a
}
