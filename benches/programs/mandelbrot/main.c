// program: Mandelbrot set with smooth colours, and a count of the points inside of it by groups
// defect: mandelbrot: race: the rows are as long as the image is high, and 800 x 600 is not square
// The host of mandelbrot.cl.
#include "../opencl_util.h"

typedef struct {
    cl_float left, top, step;
    cl_int width, height;
    cl_int limit;
} view;

int main(int argc, char **argv)
{
    view v = {-2.0f, -1.2f, 0.0f, 800, 600, 256};
    if (argc > 2) {
        v.width = atoi(argv[1]);
        v.height = atoi(argv[2]);
    }
    if (argc > 3)
        v.limit = atoi(argv[3]);
    if (v.width < 1 || v.height < 1 || v.width > 16384 || v.height > 16384 || v.limit < 1 || v.limit > 100000)
        return 1;
    v.step = 3.0f / v.width;
    cl_setup cl = set_up("mandelbrot.cl", "");
    int pixels = v.width * v.height;
    int zero = 0, inside;
    cl_mem image = buffer(&cl, 4 * (size_t)pixels, NULL);
    cl_mem iterations = buffer(&cl, sizeof(cl_int) * pixels, NULL);
    cl_mem count = buffer(&cl, sizeof(zero), &zero);
    cl_kernel draw = kernel_named(&cl, "mandelbrot");
    CL_CHECK(clSetKernelArg(draw, 0, sizeof(cl_mem), &image));
    CL_CHECK(clSetKernelArg(draw, 1, sizeof(cl_mem), &iterations));
    CL_CHECK(clSetKernelArg(draw, 2, sizeof(view), &v));
    size_t local[2] = {16, 8};
    size_t global[2] = {round_up(v.width, 16), round_up(v.height, 8)};
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, draw, 2, NULL, global, local, 0, NULL, NULL));
    cl_kernel counting = kernel_named(&cl, "count_inside");
    CL_CHECK(clSetKernelArg(counting, 0, sizeof(cl_mem), &iterations));
    CL_CHECK(clSetKernelArg(counting, 1, sizeof(cl_mem), &count));
    CL_CHECK(clSetKernelArg(counting, 2, sizeof(cl_int), &pixels));
    CL_CHECK(clSetKernelArg(counting, 3, sizeof(cl_int), &v.limit));
    size_t local1 = 256, global1 = round_up(pixels, 256);
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, counting, 1, NULL, &global1, &local1, 0, NULL, NULL));
    read_back(&cl, count, sizeof(inside), &inside);
    printf("%d of %d points are inside\n", inside, pixels);
    clReleaseKernel(draw);
    clReleaseKernel(counting);
    clReleaseMemObject(image);
    clReleaseMemObject(iterations);
    clReleaseMemObject(count);
    tear_down(&cl);
    return inside > 0 ? 0 : 1;
}
