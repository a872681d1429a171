//pass
//--local_size=64 --num_groups=16
// A group sums up 512 numbers, eight times as many as it has work-items: each half is walked through with the
// group's size as the stride. The barrier comes first in each round, and not for who is done.

#define COUNT 512

__kernel void reduce_strided(__global const int *in, __global int *out)
{
    __local int data[COUNT];
    int lid = get_local_id(0);
    for (int i = lid; i < COUNT; i += get_local_size(0)) {
        data[i] = in[get_group_id(0) * COUNT + i];
    }
    for (int stride = COUNT / 2; stride > 0; stride >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = lid; i < stride; i += get_local_size(0)) {
            data[i] += data[stride + i];
        }
    }
    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
