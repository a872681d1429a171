//xfail:NOT_ALL_VERIFIED
//--local_size=56 --num_groups=1
// As multiples_of_56.cl, but one step is no multiple.

__kernel void multiples_of_56_defect(__global int *out, __global const int *skip)
{
    int i = get_local_id(0);
    while (i < 100000) {
        out[i] = get_local_id(0); //~ race
        if (skip[i] > 0) {
            i += 57;
        } else {
            i += 56;
        }
    }
}
