// program: brute-force search for the inputs of a digest, with a list of the matches
// defect: search: race: matches are counted without an atomic; several match by default
// The host of search.cl.
#include "../opencl_util.h"

#include <algorithm>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    const cl_uint target = argc > 1 ? std::stoul(argv[1], nullptr, 16) : 0x1234;
    const int bits = argc > 2 ? std::stoi(argv[2]) : 12;
    const unsigned long long total = argc > 3 ? std::stoull(argv[3]) : 1ull << 22;
    if (bits < 8 || bits > 32 || total == 0 || total > 1ull << 32) return 1;
    const cl_uint mask = bits == 32 ? 0xffffffffu : (1u << bits) - 1, capacity = 1 << 16;
    cl_setup cl = set_up("search.cl", "");
    cl_uint found = 0;
    cl_mem d_matches = buffer(&cl, capacity * sizeof(cl_uint), NULL);
    cl_mem d_digests = buffer(&cl, capacity * sizeof(cl_uint), NULL);
    cl_mem d_found = buffer(&cl, sizeof(cl_uint), &found);
    cl_kernel search = kernel_named(&cl, "search"), verify = kernel_named(&cl, "verify");
    const size_t local = 256, batch = 1 << 20;
    for (unsigned long long first = 0; first < total && found < capacity; first += batch) {
        const cl_uint begin = (cl_uint)first, count = (cl_uint)std::min<unsigned long long>(batch, total - first);
        const size_t global = round_up(count, local);
        CL_CHECK(clSetKernelArg(search, 0, sizeof(cl_uint), &target));
        CL_CHECK(clSetKernelArg(search, 1, sizeof(cl_uint), &mask));
        CL_CHECK(clSetKernelArg(search, 2, sizeof(cl_uint), &begin));
        CL_CHECK(clSetKernelArg(search, 3, sizeof(cl_uint), &count));
        CL_CHECK(clSetKernelArg(search, 4, sizeof(cl_mem), &d_matches));
        CL_CHECK(clSetKernelArg(search, 5, sizeof(cl_mem), &d_found));
        CL_CHECK(clSetKernelArg(search, 6, sizeof(cl_uint), &capacity));
        CL_CHECK(clEnqueueNDRangeKernel(cl.queue, search, 1, NULL, &global, &local, 0, NULL, NULL));
        read_back(&cl, d_found, sizeof(found), &found);
    }
    found = std::min(found, capacity);
    int wrong = 0;
    if (found > 0) {
        const size_t global = round_up(found, local);
        CL_CHECK(clSetKernelArg(verify, 0, sizeof(cl_mem), &d_matches));
        CL_CHECK(clSetKernelArg(verify, 1, sizeof(cl_mem), &d_digests));
        CL_CHECK(clSetKernelArg(verify, 2, sizeof(cl_uint), &found));
        CL_CHECK(clEnqueueNDRangeKernel(cl.queue, verify, 1, NULL, &global, &local, 0, NULL, NULL));
        std::vector<cl_uint> digests(found);
        read_back(&cl, d_digests, found * sizeof(cl_uint), digests.data());
        for (cl_uint d : digests) wrong += ((d ^ target) & mask) != 0;
    }
    printf("%u matches, %d of them wrong\n", found, wrong);
    clReleaseKernel(search);
    clReleaseKernel(verify);
    for (cl_mem m : {d_matches, d_digests, d_found}) clReleaseMemObject(m);
    tear_down(&cl);
    return wrong != 0;
}
