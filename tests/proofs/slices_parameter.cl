//pass
//--local_size=64 --num_groups=8
// open sizes too
// As slices.cl; the length is a parameter.

__kernel void slices_parameter(__global int *out, int length)
{
    int id = get_global_id(0);
    for (int i = id * length; i < (id + 1) * length; i++) {
        out[i] = id;
    }
}
