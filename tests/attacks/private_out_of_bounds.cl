//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A thread's own array is too short for the last iteration.

__kernel void private_out_of_bounds(__global int *out)
{
    int a[16];
    for (int i = 0; i <= 16; i++) {
        a[i] = i * get_local_id(0); //~ out-of-bounds
    }
    out[get_global_id(0)] = a[out[get_global_id(0)] & 15];
}
