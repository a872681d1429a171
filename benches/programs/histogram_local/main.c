// program: 256 bins of a byte array: histograms of groups in local memory, then a merge
// defect: partial_histograms: race: the bins of a group are incremented without an atomic operation
// The host of histogram.cl.
#include "../opencl_util.h"

#include <string.h>

#define BINS 256

int main(int argc, char **argv)
{
    cl_uint bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000000;
    cl_uint groups = 60, quads;
    bytes = bytes / 4 * 4;
    quads = bytes / 4;
    if (bytes == 0 || bytes > 1u << 30)
        return 1;
    unsigned char *data = (unsigned char *)malloc(bytes);
    cl_uint expected[BINS] = {0}, result[BINS];
    for (cl_uint i = 0; i < bytes; i++) {
        data[i] = (unsigned char)(rand() >> 7);
        expected[data[i]]++;
    }
    cl_setup cl = set_up("histogram.cl", "-cl-std=CL1.2");
    cl_mem d_data = buffer(&cl, bytes, data);
    cl_mem d_partial = buffer(&cl, groups * BINS * sizeof(cl_uint), NULL);
    cl_mem d_result = buffer(&cl, BINS * sizeof(cl_uint), NULL);
    cl_kernel count = kernel_named(&cl, "partial_histograms"), merge = kernel_named(&cl, "merge_histograms");
    size_t local = 128, global = local * groups;
    CL_CHECK(clSetKernelArg(count, 0, sizeof(cl_mem), &d_data));
    CL_CHECK(clSetKernelArg(count, 1, sizeof(cl_mem), &d_partial));
    CL_CHECK(clSetKernelArg(count, 2, sizeof(cl_uint), &quads));
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, count, 1, NULL, &global, &local, 0, NULL, NULL));
    CL_CHECK(clSetKernelArg(merge, 0, sizeof(cl_mem), &d_partial));
    CL_CHECK(clSetKernelArg(merge, 1, sizeof(cl_mem), &d_result));
    CL_CHECK(clSetKernelArg(merge, 2, sizeof(cl_uint), &groups));
    size_t bins = BINS;
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, merge, 1, NULL, &bins, NULL, 0, NULL, NULL));
    read_back(&cl, d_result, sizeof(result), result);
    int right = memcmp(result, expected, sizeof(result)) == 0;
    printf("%s\n", right ? "right" : "wrong");
    clReleaseKernel(count);
    clReleaseKernel(merge);
    clReleaseMemObject(d_data);
    clReleaseMemObject(d_partial);
    clReleaseMemObject(d_result);
    tear_down(&cl);
    free(data);
    return !right;
}
