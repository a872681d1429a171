//pass
//--local_size=128 --num_groups=* --assume 'n > 0'
// The largest magnitude of a vector and where it is, as pivoting needs it: values and indices side by side
// in local memory, one result per group.

__kernel void max_index(__global const float *x, __global float *max_value, __global int *max_position, int n, int inc)
{
    __local float values[128];
    __local int positions[128];
    int lid = get_local_id(0);
    float best = -1.0f;
    int where = 0;

    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float candidate = fabs(x[i * inc]);
        if (candidate > best) {
            best = candidate;
            where = i;
        }
    }
    values[lid] = best;
    positions[lid] = where;

    for (int stride = get_local_size(0) >> 1; stride >= 1; stride >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < stride) {
            if (values[lid] < values[lid + stride]) {
                values[lid] = values[lid + stride]; //~ race value
                positions[lid] = positions[lid + stride]; //~ race position
            }
        }
    }
#ifdef DEFECT
    if (lid == 1) {
#else
    if (lid == 0) {
#endif
        max_value[get_group_id(0)] = values[0]; //~ race value
        max_position[get_group_id(0)] = positions[0]; //~ race position
    }
}
