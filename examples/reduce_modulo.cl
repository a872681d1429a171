//pass
//--local_size=64 --num_groups=16
// A tree reduction, first version: in each round every second, fourth, eighth… work-item adds
// the element one stride away to its own.

#define SIZE 64

__kernel void reduce_modulo(__global const int *in, __global int *out)
{
    __local int data[SIZE];
    uint lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = 1; s < SIZE; s *= 2) {
        if (lid % (2 * s) == 0) {
            data[lid] += data[lid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
