//pass
//
// Two elements at a time.

__kernel void stride_wide_pairs(__global float *y, __global const float *x, ulong n)
{
    for (size_t i = 2 * get_global_id(0); i < n; i += 2 * get_global_size(0)) {
        y[i] = x[i + 1];
        y[i + 1] = x[i];
    }
}
