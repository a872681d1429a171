// program: exclusive prefix sum in three passes, local memory of a size that the host chooses
// defect: scan_groups: bounds: the host gives half of the local memory that a group needs (main.c)
// The host of scan.cl.
#include "../opencl_util.h"

int main(int argc, char **argv)
{
    cl_uint n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    size_t local = argc > 2 ? strtoul(argv[2], NULL, 10) : 256;
    if (n < 1 || n > 1u << 28 || local < 1 || local > 256)
        return 1;
    cl_uint *host = (cl_uint *)malloc(n * sizeof(cl_uint)), *result = (cl_uint *)malloc(n * sizeof(cl_uint));
    for (cl_uint i = 0; i < n; i++)
        host[i] = rand() % 100;
    cl_setup cl = set_up("scan.cl", "");
    size_t global = round_up(n, local);
    cl_uint groups = (cl_uint)(global / local);
    cl_mem in = buffer(&cl, n * sizeof(cl_uint), host), out = buffer(&cl, n * sizeof(cl_uint), NULL);
    cl_mem sums = buffer(&cl, groups * sizeof(cl_uint), NULL);
    cl_kernel scan = kernel_named(&cl, "scan_groups"), top = kernel_named(&cl, "scan_sums");
    cl_kernel add = kernel_named(&cl, "add_sums");
#ifdef DEFECT
    size_t local_bytes = local / 2 * sizeof(cl_uint);
#else
    size_t local_bytes = local * sizeof(cl_uint);
#endif
    CL_CHECK(clSetKernelArg(scan, 0, sizeof(cl_mem), &in));
    CL_CHECK(clSetKernelArg(scan, 1, sizeof(cl_mem), &out));
    CL_CHECK(clSetKernelArg(scan, 2, sizeof(cl_mem), &sums));
    CL_CHECK(clSetKernelArg(scan, 3, local_bytes, NULL));
    CL_CHECK(clSetKernelArg(scan, 4, sizeof(cl_uint), &n));
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, scan, 1, NULL, &global, &local, 0, NULL, NULL));
    size_t one = 1;
    CL_CHECK(clSetKernelArg(top, 0, sizeof(cl_mem), &sums));
    CL_CHECK(clSetKernelArg(top, 1, sizeof(cl_uint), &groups));
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, top, 1, NULL, &one, &one, 0, NULL, NULL));
    CL_CHECK(clSetKernelArg(add, 0, sizeof(cl_mem), &out));
    CL_CHECK(clSetKernelArg(add, 1, sizeof(cl_mem), &sums));
    CL_CHECK(clSetKernelArg(add, 2, sizeof(cl_uint), &n));
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, add, 1, NULL, &global, &local, 0, NULL, NULL));
    read_back(&cl, out, n * sizeof(cl_uint), result);
    cl_uint sum = 0, wrong = 0;
    for (cl_uint i = 0; i < n; i++) {
        wrong += result[i] != sum;
        sum += host[i];
    }
    printf("%u wrong\n", wrong);
    clReleaseKernel(scan);
    clReleaseKernel(top);
    clReleaseKernel(add);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(sums);
    tear_down(&cl);
    free(host);
    free(result);
    return wrong != 0;
}
