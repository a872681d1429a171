//pass
//--local_size=128 --num_groups=*
// Cyclic reduction of tridiagonal systems, one per group: 256 equations, half as many work-items; forward reduction
// with doubling strides, two unknowns, and backward substitution with halving strides, all in place in local memory.

#define SYSTEM_SIZE 256

__kernel void cyclic_small_systems(__global const float *a_d, __global const float *b_d, __global const float *c_d,
                                   __global const float *d_d, __global float *x_d)
{
    __local float a[SYSTEM_SIZE], b[SYSTEM_SIZE], c[SYSTEM_SIZE], d[SYSTEM_SIZE], x[SYSTEM_SIZE];
    int thid = get_local_id(0);
    int base = get_group_id(0) * SYSTEM_SIZE;
    int num_threads = SYSTEM_SIZE / 2;

    a[thid] = a_d[base + thid];
    a[thid + num_threads] = a_d[base + thid + num_threads];
    b[thid] = b_d[base + thid];
    b[thid + num_threads] = b_d[base + thid + num_threads];
    c[thid] = c_d[base + thid];
    c[thid + num_threads] = c_d[base + thid + num_threads];
    d[thid] = d_d[base + thid];
    d[thid + num_threads] = d_d[base + thid + num_threads];
    barrier(CLK_LOCAL_MEM_FENCE);

    int stride = 1;
    for (int j = 0; j < 7; j++) {
        stride *= 2;
        int delta = stride / 2;
        if (thid < num_threads) {
            int i = stride * thid + stride - 1;
            int left = i - delta;
            if (i == SYSTEM_SIZE - 1) {
                float factor = a[i] / b[left];
                b[i] = b[i] - c[left] * factor;
                d[i] = d[i] - d[left] * factor;
                a[i] = -a[left] * factor;
                c[i] = 0.0f;
            } else {
                int right = i + delta;
                float factor_left = a[i] / b[left];
                float factor_right = c[i] / b[right];
                b[i] = b[i] - c[left] * factor_left - a[right] * factor_right;
                d[i] = d[i] - d[left] * factor_left - d[right] * factor_right;
                a[i] = -a[left] * factor_left;
                c[i] = -c[right] * factor_right;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        num_threads /= 2;
    }

    if (thid == 0) {
        int first = stride - 1, second = 2 * stride - 1;
        float det = b[second] * b[first] - c[first] * a[second];
        x[first] = (b[second] * d[first] - c[first] * d[second]) / det;
        x[second] = (d[second] * b[first] - d[first] * a[second]) / det;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    num_threads = 2;
    for (int j = 0; j < 7; j++) {
        int delta = stride / 2;
        if (thid < num_threads) {
            int i = stride * thid + stride / 2 - 1;
            if (i == delta - 1)
                x[i] = (d[i] - c[i] * x[i + delta]) / b[i]; //~ race first
            else
                x[i] = (d[i] - a[i] * x[i - delta] - c[i] * x[i + delta]) / b[i]; //~ race first other
        }
        stride /= 2;
        num_threads *= 2;
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
#ifdef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    num_threads = SYSTEM_SIZE / 2;
    x_d[base + thid] = x[thid];
    x_d[base + thid + num_threads] = x[thid + num_threads];
}
