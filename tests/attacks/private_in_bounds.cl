//pass
//--local_size=64 --num_groups=16
// As private_out_of_bounds.cl with the right bound.

__kernel void private_in_bounds(__global int *out)
{
    int a[16];
    for (int i = 0; i < 16; i++) {
        a[i] = i * get_local_id(0);
    }
    out[get_global_id(0)] = a[out[get_global_id(0)] & 15];
}
