//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As multiples_of_stride.cl, but one step is no multiple.

__kernel void multiples_of_stride_defect(__global int *out, __global const int *skip, int n)
{
    int i = get_global_id(0);
    while (i < n) {
        out[i] = get_global_id(0); //~ race
        if (skip[i] > 0) {
            i += 127;
        } else {
            i += 128;
        }
    }
}
