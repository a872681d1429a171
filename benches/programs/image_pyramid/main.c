// program: image pyramid: each level halves the one below after a 3x3 blur by tiles
// defect: reduce_level: race: no barrier between the loading of the tile and the blur
// The host of pyramid.cl.
#include "../opencl_util.h"

#define MAX_LEVELS 12

static void run2d(cl_setup *cl, cl_kernel kernel, cl_mem a, cl_mem b, int width, int height, int x, int y)
{
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &a));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &b));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof(cl_int), &width));
    CL_CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), &height));
    size_t local[2] = {16, 16};
    size_t global[2] = {round_up(x, 16), round_up(y, 16)};
    CL_CHECK(clEnqueueNDRangeKernel(cl->queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
}

int main(int argc, char **argv)
{
    int width = 1001, height = 701, levels = 0;
    if (argc > 2) {
        width = atoi(argv[1]);
        height = atoi(argv[2]);
    }
    if (width < 2 || height < 2 || width > 8192 || height > 8192) {
        fprintf(stderr, "usage: %s [width height]\n", argv[0]);
        return 1;
    }
    float *image = (float *)malloc(sizeof(float) * width * height);
    for (int i = 0; i < width * height; i++)
        image[i] = (float)(i % width) / width;
    cl_setup cl = set_up("pyramid.cl", "");
    cl_kernel reduce = kernel_named(&cl, "reduce_level"), subtract = kernel_named(&cl, "difference");
    cl_mem level[MAX_LEVELS];
    int w[MAX_LEVELS], h[MAX_LEVELS];
    level[0] = buffer(&cl, sizeof(float) * width * height, image);
    w[0] = width;
    h[0] = height;
    while (levels + 1 < MAX_LEVELS && w[levels] >= 4 && h[levels] >= 4) {
        levels++;
        w[levels] = w[levels - 1] / 2;
        h[levels] = h[levels - 1] / 2;
        level[levels] = buffer(&cl, sizeof(float) * w[levels] * h[levels], NULL);
        run2d(&cl, reduce, level[levels - 1], level[levels], w[levels - 1], h[levels - 1], w[levels], h[levels]);
    }
    for (int l = 0; l < levels; l++)
        run2d(&cl, subtract, level[l], level[l + 1], w[l], h[l], w[l], h[l]);
    float top;
    read_back(&cl, level[levels], sizeof(float), &top);
    printf("%d levels, top %f\n", levels, top);
    for (int l = 0; l <= levels; l++)
        clReleaseMemObject(level[l]);
    clReleaseKernel(reduce);
    clReleaseKernel(subtract);
    tear_down(&cl);
    free(image);
    return 0;
}
