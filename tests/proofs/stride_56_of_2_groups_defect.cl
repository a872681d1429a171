//xfail:NOT_ALL_VERIFIED
//--local_size=56 --num_groups=2
// As stride_56_of_2_groups.cl, but the stride is one too small.

__kernel void stride_56_of_2_groups_defect(__global float *y, __global const float *x, float a, int n)
{
    for (int i = get_global_id(0); i < n; i += 111) {
        y[i] = a * x[i] + y[i]; //~ race
    }
}
