//pass
//--local_size=56 --num_groups=2
// A stride that is a constant but no power of two.

__kernel void stride_56_of_2_groups(__global float *y, __global const float *x, float a, int n)
{
    for (int i = get_global_id(0); i < n; i += 112) {
        y[i] = a * x[i] + y[i];
    }
}
