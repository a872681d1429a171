// program: temperature of a chip from its power map, two buffers swapped by the host
// defect: heat_step: race: the host binds one buffer to both arguments (main.c)
// The host of hotspot.cl.
#include "../opencl_util.h"

#include <math.h>

typedef struct {
    cl_float cap, rx, ry, rz, ambient;
} chip;

int main(int argc, char **argv)
{
    int columns = 500, rows = 400, steps = 100;
    if (argc > 2) {
        columns = atoi(argv[1]);
        rows = atoi(argv[2]);
    }
    if (argc > 3)
        steps = atoi(argv[3]);
    if (columns < 2 || rows < 2 || columns > 16384 || rows > 16384 || steps < 0)
        return 1;
    chip c = {0.05f, 1.0f, 1.0f, 0.01f, 80.0f};
    int count = columns * rows;
    float *power = (float *)malloc(count * sizeof(float)), *temperature = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        power[i] = (i % columns / 50 + i / columns / 50) % 3 == 0 ? 1.0f : 0.0f;
        temperature[i] = 80.0f;
    }
    cl_setup cl = set_up("hotspot.cl", "");
    cl_mem d_power = buffer(&cl, count * sizeof(float), power);
    cl_mem d_t[2] = {buffer(&cl, count * sizeof(float), temperature), buffer(&cl, count * sizeof(float), temperature)};
    cl_kernel step = kernel_named(&cl, "heat_step"), reduce = kernel_named(&cl, "hottest");
    size_t local[2] = {16, 16}, global[2] = {round_up(columns, 16), round_up(rows, 16)};
    int source = 0;
    for (int s = 0; s < steps; s++) {
#ifdef DEFECT
        int target = source;
#else
        int target = 1 - source;
#endif
        CL_CHECK(clSetKernelArg(step, 0, sizeof(cl_mem), &d_power));
        CL_CHECK(clSetKernelArg(step, 1, sizeof(cl_mem), &d_t[source]));
        CL_CHECK(clSetKernelArg(step, 2, sizeof(cl_mem), &d_t[target]));
        CL_CHECK(clSetKernelArg(step, 3, sizeof(cl_int), &columns));
        CL_CHECK(clSetKernelArg(step, 4, sizeof(cl_int), &rows));
        CL_CHECK(clSetKernelArg(step, 5, sizeof(chip), &c));
        CL_CHECK(clEnqueueNDRangeKernel(cl.queue, step, 2, NULL, global, local, 0, NULL, NULL));
        source = target;
    }
    enum { GROUPS = 32, LOCAL = 128 };
    float of_groups[GROUPS], largest = -INFINITY;
    cl_mem result = buffer(&cl, sizeof(of_groups), NULL);
    size_t local1 = LOCAL, global1 = GROUPS * LOCAL;
    CL_CHECK(clSetKernelArg(reduce, 0, sizeof(cl_mem), &d_t[source]));
    CL_CHECK(clSetKernelArg(reduce, 1, sizeof(cl_mem), &result));
    CL_CHECK(clSetKernelArg(reduce, 2, LOCAL * sizeof(cl_float), NULL));
    CL_CHECK(clSetKernelArg(reduce, 3, sizeof(cl_int), &count));
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, reduce, 1, NULL, &global1, &local1, 0, NULL, NULL));
    read_back(&cl, result, sizeof(of_groups), of_groups);
    for (int g = 0; g < GROUPS; g++)
        largest = fmaxf(largest, of_groups[g]);
    printf("hottest cell %f after %d steps\n", largest, steps);
    clReleaseKernel(step);
    clReleaseKernel(reduce);
    clReleaseMemObject(d_power);
    clReleaseMemObject(d_t[0]);
    clReleaseMemObject(d_t[1]);
    clReleaseMemObject(result);
    tear_down(&cl);
    free(power);
    free(temperature);
    return isfinite(largest) ? 0 : 1;
}
