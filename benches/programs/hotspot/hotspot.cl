// program: temperature of a chip from its power map, two buffers swapped by the host
// defect: heat_step: race: the host binds one buffer to both arguments (main.c)
#define BLOCK 16

typedef struct {
    float cap, rx, ry, rz, ambient;
} chip;

__kernel void heat_step(__global const float *power, __global const float *source, __global float *target, int columns,
                        int rows, chip c)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= columns || y >= rows)
        return;
    const int i = y * columns + x;
    const float t = source[i]; //~ race
    const float north = y > 0 ? source[i - columns] : t; //~ race
    const float south = y < rows - 1 ? source[i + columns] : t; //~ race
    const float west = x > 0 ? source[i - 1] : t; //~ race
    const float east = x < columns - 1 ? source[i + 1] : t; //~ race
    target[i] = t + c.cap * (power[i] + (north + south - 2.0f * t) * c.ry + (east + west - 2.0f * t) * c.rx + //~ race
                             (c.ambient - t) * c.rz);
}

__kernel void hottest(__global const float *temperature, __global float *result, __local float *scratch, int count)
{
    const int lid = get_local_id(0);
    float largest = -INFINITY;
    for (int i = get_global_id(0); i < count; i += get_global_size(0))
        largest = fmax(largest, temperature[i]);
    scratch[lid] = largest;
    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            scratch[lid] = fmax(scratch[lid], scratch[lid + s]);
    }
    if (lid == 0)
        result[get_group_id(0)] = scratch[0];
}
