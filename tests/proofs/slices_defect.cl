//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// As slices.cl, but a slice is one too long.

__kernel void slices_defect(__global int *out)
{
    int id = get_global_id(0);
    for (int i = id * 12; i <= (id + 1) * 12; i++) {
        out[i] = id; //~ race
    }
}
