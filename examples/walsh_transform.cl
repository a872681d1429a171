//pass
//--local_size=64 --num_groups=16
// The fast Walsh transform of 128 elements in local memory: butterflies over halving strides,
// with the work-item's index spread out so that each touches a pair of its own.

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
        uint i = 2 * (lid - low) + low;
        float a = data[i];
        float b = data[i + stride];
        data[i] = a + b;
        data[i + stride] = a - b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    signal[first] = data[lid];
    signal[first + SIZE / 2] = data[lid + SIZE / 2];
}
