//pass
//--local_size=64 --num_groups=16
// A grid-stride loop: the launch has 1024 work-items whatever the length of the vectors, and
// each one goes on to the element one whole launch further. The proof needs to know that the
// indices of a work-item are those congruent to its global id.

__kernel void saxpy(__global float *y, __global const float *x, float a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        y[i] = a * x[i] + y[i];
    }
}
