//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// As slices_of_groups.cl, but slices overlap.

__kernel void slices_of_groups_defect(__global int *out)
{
    int end = (get_group_id(0) + 1) * 640 + 1;
    for (int i = get_group_id(0) * 640 + get_local_id(0); i < end; i += 64) {
        out[i] = get_local_id(0) + get_group_id(0); //~ race
    }
}
