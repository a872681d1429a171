//pass
//--local_size=256 --num_groups=256 --assume 'histogram_count <= 0x100000'
// Partial histograms become one: a group for each bin, which adds up that bin of all of them.

#define BIN_COUNT 256
#define MERGE_SIZE 256

__kernel void histogram_merge(__global uint *histogram, __global const uint *partial_histograms, uint histogram_count)
{
    __local uint data[MERGE_SIZE];
    uint sum = 0;
    for (uint i = get_local_id(0); i < histogram_count; i += MERGE_SIZE) {
        sum += partial_histograms[get_group_id(0) + i * BIN_COUNT];
    }
    data[get_local_id(0)] = sum; //~ race first
    for (uint stride = MERGE_SIZE / 2; stride > 0; stride >>= 1) {
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (get_local_id(0) < stride) {
            data[get_local_id(0)] += data[get_local_id(0) + stride]; //~ race first step
        }
    }
    if (get_local_id(0) == 0) {
        histogram[get_group_id(0)] = data[0];
    }
}
