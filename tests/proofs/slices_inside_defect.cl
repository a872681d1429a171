//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// open sizes too
// As slices_inside.cl, but a slice is one too long.

__kernel void slices_inside_defect(__global int *out, int length)
{
    int id = get_global_id(0);
    for (int i = 0; i <= length; i++) {
        out[id * length + i] = id; //~ race
    }
}
