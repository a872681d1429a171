//xfail:NOT_ALL_VERIFIED
//--local_size=72 --num_groups=2
// As left_in_the_middle.cl, but the step is too small.

__kernel void left_in_the_middle_defect(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    while (1) {
        if (i >= n || in[i] == 0) {
            break;
        }
        out[i] = get_global_id(0); //~ race
        i += 143;
    }
}
