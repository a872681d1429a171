// program: longest common subsequence by anti-diagonals, three of them in one buffer
// defect: diagonal: race: two diagonals, so a thread overwrites what its neighbour reads
// The host of lcs.cl.
#include "../opencl_util.h"

#include <string.h>

static int reference(const char *a, int n, const char *b, int m)
{
    int *row = (int *)calloc(m + 1, sizeof(int));
    for (int i = 0; i < n; i++) {
        int corner = 0;
        for (int j = 0; j < m; j++) {
            int above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? corner + 1 : above > row[j] ? above : row[j];
            corner = above;
        }
    }
    int result = row[m];
    free(row);
    return result;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1500, m = argc > 2 ? atoi(argv[2]) : 1200;
    if (n < 1 || m < 1 || n > 50000 || m > 50000)
        return 1;
    char *a = (char *)malloc(n), *b = (char *)malloc(m);
    for (int i = 0; i < n; i++)
        a[i] = "ACGT"[rand() % 4];
    for (int i = 0; i < m; i++)
        b[i] = "ACGT"[rand() % 4];
    int stride = n + 1;
    int *zeros = (int *)calloc(3 * (size_t)stride, sizeof(int));
    cl_setup cl = set_up("lcs.cl", "");
    cl_mem d_a = buffer(&cl, n, a), d_b = buffer(&cl, m, b);
    cl_mem d_lengths = buffer(&cl, 3 * (size_t)stride * sizeof(int), zeros);
    cl_kernel kernel = kernel_named(&cl, "diagonal");
    CL_CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &d_a));
    CL_CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &d_b));
    CL_CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &d_lengths));
    CL_CHECK(clSetKernelArg(kernel, 6, sizeof(cl_int), &stride));
    for (int d = 0; d <= n + m - 2; d++) {
        int low = d < m ? 0 : d - m + 1, high = d < n ? d : n - 1;
        size_t local = 64, global = round_up(high - low + 1, local);
        CL_CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), &d));
        CL_CHECK(clSetKernelArg(kernel, 4, sizeof(cl_int), &low));
        CL_CHECK(clSetKernelArg(kernel, 5, sizeof(cl_int), &high));
        CL_CHECK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    }
    int *result = (int *)malloc(3 * (size_t)stride * sizeof(int));
    read_back(&cl, d_lengths, 3 * (size_t)stride * sizeof(int), result);
    int length = result[(n + m - 2) % 3 * stride + n], expected = reference(a, n, b, m);
    printf("length %d, expected %d\n", length, expected);
    clReleaseKernel(kernel);
    clReleaseMemObject(d_a);
    clReleaseMemObject(d_b);
    clReleaseMemObject(d_lengths);
    tear_down(&cl);
    free(a);
    free(b);
    free(zeros);
    free(result);
    return length != expected;
}
