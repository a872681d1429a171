//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_strided.cl, but the barrier is before the rounds instead of in each: what a round reads another work-item
// may still be adding up in the round before.

#define COUNT 512

__kernel void reduce_strided(__global const int *in, __global int *out)
{
    __local int data[COUNT];
    int lid = get_local_id(0);
    for (int i = lid; i < COUNT; i += get_local_size(0)) {
        data[i] = in[get_group_id(0) * COUNT + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = COUNT / 2; stride > 0; stride >>= 1) {
        for (int i = lid; i < stride; i += get_local_size(0)) {
            data[i] += data[stride + i]; //~ race
        }
    }
    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
