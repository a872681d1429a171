//pass
//--local_size=64 --num_groups=8
// Each group has a slice of 640 cells, its threads take turns.

__kernel void slices_of_groups(__global int *out)
{
    int end = (get_group_id(0) + 1) * 640;
    for (int i = get_group_id(0) * 640 + get_local_id(0); i < end; i += 64) {
        out[i] = get_local_id(0);
    }
}
