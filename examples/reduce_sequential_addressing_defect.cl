//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_sequential_addressing.cl, but the second half begins one element too early: its
// first element is the one that the last active work-item writes.

#define SIZE 64

__kernel void reduce_sequential(__global const int *in, __global int *out)
{
    __local int data[SIZE];
    int lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];

    for (int s = SIZE / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) {
            data[lid] += data[lid + s - 1]; //~ race
        }
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
