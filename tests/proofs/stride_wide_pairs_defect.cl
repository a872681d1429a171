//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As stride_wide_pairs.cl, but the second element is the next thread's.

__kernel void stride_wide_pairs_defect(__global float *y, __global const float *x, ulong n)
{
    for (size_t i = 2 * get_global_id(0); i < n; i += 2 * get_global_size(0)) {
        y[i] = x[i + 1]; //~ race
        y[i + 2] = x[i]; //~ race
    }
}
