//pass
//--local_size=* --num_groups=* --assume 'get_local_size(0) % 32 == 0'
// Root mean square normalisation, added to a residual: each 32 work-items have a row of any length. The number of rows in
// a group depends on the size of the group.

__kernel void rms_norm_rows(__global float *out, __global const float *in, __global const float *weight, const int rows,
                            const int columns)
{
    const int row = get_group_id(0) * (get_local_size(0) / 32) + get_local_id(0) / 32;
#ifdef DEFECT
    const int lane = get_local_id(0) % 16;
#else
    const int lane = get_local_id(0) % 32;
#endif
    if (row >= rows) return;
    float squares = 0;
    for (int i = 0; i < columns; i++)
        squares += in[(size_t)row * columns + i] * in[(size_t)row * columns + i];
    for (int i = lane; i < columns; i += 32)
        out[(size_t)row * columns + i] += in[(size_t)row * columns + i] * rsqrt(squares / columns + 1e-6f) * weight[i]; //~ race a
}
