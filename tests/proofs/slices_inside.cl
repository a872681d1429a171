//pass
//--local_size=64 --num_groups=8
// open sizes too
// As slices_parameter.cl with an index inside the slice.

__kernel void slices_inside(__global int *out, int length)
{
    int id = get_global_id(0);
    for (int i = 0; i < length; i++) {
        out[id * length + i] = id;
    }
}
