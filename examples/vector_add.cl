//pass
//--local_size=64 --num_groups=16
// open sizes too
// The smallest useful kernel: one work-item per element, and a guard for the work-items
// beyond the end. Distinct global ids give distinct elements, so nothing can race.

__kernel void vector_add(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
