//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As vector_add.cl, but indexed by the local id: every group writes the same 64 elements,
// so work-items of different groups race.

__kernel void vector_add(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        c[get_local_id(0)] = a[i] + b[i]; //~ race
    }
}
