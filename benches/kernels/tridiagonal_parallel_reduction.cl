//pass
//--local_size=128 --num_groups=* --assume 'iterations >= 0 && iterations <= 7'
// Parallel cyclic reduction of tridiagonal systems of 128 equations, one per group: every work-item keeps its equation and
// halves its distance to being decoupled in each step; values are read, a barrier, written, a barrier.

#define SYSTEM_SIZE 128

__kernel void pcr_small_systems(__global const float *a_d, __global const float *b_d, __global const float *c_d,
                                __global const float *d_d, __global float *x_d, int iterations)
{
    __local float a[SYSTEM_SIZE], b[SYSTEM_SIZE], c[SYSTEM_SIZE], d[SYSTEM_SIZE];
    int thid = get_local_id(0);
    int at = get_group_id(0) * SYSTEM_SIZE + thid;

    a[thid] = a_d[at];
    b[thid] = b_d[at];
    c[thid] = c_d[at];
    d[thid] = d_d[at];
    barrier(CLK_LOCAL_MEM_FENCE);

    int delta = 1;
    for (int j = 0; j < iterations; j++) {
        int left = thid - delta < 0 ? 0 : thid - delta;
        int right = thid + delta >= SYSTEM_SIZE ? SYSTEM_SIZE - 1 : thid + delta;
        float k1 = a[thid] / b[left]; //~ race left
        float k2 = c[thid] / b[right]; //~ race right
        float b_new = b[thid] - c[left] * k1 - a[right] * k2; //~ race ba bc
        float d_new = d[thid] - d[left] * k1 - d[right] * k2; //~ race dd
        float a_new = -a[left] * k1; //~ race aa
        float c_new = -c[right] * k2; //~ race cc
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        b[thid] = b_new; //~ race left right
        d[thid] = d_new; //~ race dd
        a[thid] = a_new; //~ race aa ba
        c[thid] = c_new; //~ race cc bc
        delta *= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x_d[at] = d[thid] / b[thid];
}
