//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As saxpy_grid_stride.cl, but the loop strides by the size of a group instead of the size of
// the launch: the second element of one group is the first of the next.

__kernel void saxpy(__global float *y, __global const float *x, float a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_local_size(0)) {
        y[i] = a * x[i] + y[i]; //~ race
    }
}
