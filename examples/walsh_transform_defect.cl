//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As walsh_transform.cl, but the index is not spread out: for short strides the second element
// of one butterfly is the first of another.

#define SIZE 128

__kernel void walsh_transform(__global float *signal)
{
    __local float data[SIZE];
    uint lid = get_local_id(0);
    uint first = get_group_id(0) * SIZE + lid;
    data[lid] = signal[first];
    data[lid + SIZE / 2] = signal[first + SIZE / 2];

    for (uint stride = SIZE / 2; stride > 0; stride >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = lid & (stride - 1);
        uint i = (lid - low) + low;
        float a = data[i]; //~ race a
        float b = data[i + stride]; //~ race b
        data[i] = a + b; //~ race b both
        data[i + stride] = a - b; //~ race a both
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    signal[first] = data[lid];
    signal[first + SIZE / 2] = data[lid + SIZE / 2];
}
