//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As stride_wide.cl, but the stride forgets a thread.

__kernel void stride_wide_defect(__global float *y, __global const float *x, float a, ulong n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0) - 1) {
        y[i] = a * x[i] + y[i]; //~ race
    }
}
