//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// open sizes too
// As slices_parameter.cl, but a slice is one too long.

__kernel void slices_parameter_defect(__global int *out, int length)
{
    int id = get_global_id(0);
    for (int i = id * length; i <= (id + 1) * length; i++) {
        out[i] = id; //~ race
    }
}
