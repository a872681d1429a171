//pass
//
// A grid stride with an index as wide as an address, any launch and any length: that the access lies in its array
// keeps the next sum from wrapping around.
// needs progress

__kernel void stride_wide(__global float *y, __global const float *x, float a, ulong n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        y[i] = a * x[i] + y[i];
    }
}
