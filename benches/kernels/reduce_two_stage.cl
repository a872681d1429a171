//pass
//--local_size=* --num_groups=*
// First stage of a reduction to a minimum: every work-item walks with the stride of the launch, then the
// group halves the range from the back, for groups of any size.

__kernel void reduce_min(__global const float *buffer, __local float *scratch, int length, __global float *result)
{
    int global_index = get_global_id(0);
    float accumulator = INFINITY;
    while (global_index < length) {
        float element = buffer[global_index];
        accumulator = accumulator < element ? accumulator : element;
        global_index += get_global_size(0);
    }

    int local_index = get_local_id(0);
    scratch[local_index] = accumulator;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = get_local_size(0) / 2; offset > 0; offset = offset / 2) {
        if (local_index < offset) {
            float other = scratch[local_index + offset]; //~ race
            float mine = scratch[local_index];
            scratch[local_index] = mine < other ? mine : other; //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (local_index == 0) {
        result[get_group_id(0)] = scratch[0];
    }
}
