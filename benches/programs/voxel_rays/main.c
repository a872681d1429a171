// program: rays through a grid of voxels, cell by cell, that add up the absorbed energy
// defect: trace: race: the energy of a voxel is increased without an atomic operation
// The host of rays.cl.
#include "../opencl_util.h"

typedef struct {
    cl_int nx, ny, nz;
    cl_int rays_x, rays_y;
} scene;

int main(int argc, char **argv)
{
    scene s = {64, 64, 64, 300, 200};
    if (argc > 3) {
        s.nx = atoi(argv[1]);
        s.ny = atoi(argv[2]);
        s.nz = atoi(argv[3]);
    }
    if (argc > 5) {
        s.rays_x = atoi(argv[4]);
        s.rays_y = atoi(argv[5]);
    }
    if (s.nx < 1 || s.ny < 1 || s.nz < 1 || s.nx > 512 || s.ny > 512 || s.nz > 512 || s.rays_x < 1 || s.rays_y < 1 ||
        s.rays_x > 4096 || s.rays_y > 4096)
        return 1;
    size_t voxels = (size_t)s.nx * s.ny * s.nz, rays = (size_t)s.rays_x * s.rays_y;
    cl_int *density = (cl_int *)malloc(voxels * sizeof(cl_int));
    cl_int *absorbed = (cl_int *)calloc(voxels, sizeof(cl_int));
    cl_int *escaped = (cl_int *)malloc(rays * sizeof(cl_int));
    for (size_t i = 0; i < voxels; i++)
        density[i] = rand() % 20;
    cl_setup cl = set_up("rays.cl", "");
    cl_mem d_density = buffer(&cl, voxels * sizeof(cl_int), density);
    cl_mem d_absorbed = buffer(&cl, voxels * sizeof(cl_int), absorbed);
    cl_mem d_escaped = buffer(&cl, rays * sizeof(cl_int), NULL);
    cl_kernel trace = kernel_named(&cl, "trace");
    CL_CHECK(clSetKernelArg(trace, 0, sizeof(scene), &s));
    CL_CHECK(clSetKernelArg(trace, 1, sizeof(cl_mem), &d_density));
    CL_CHECK(clSetKernelArg(trace, 2, sizeof(cl_mem), &d_absorbed));
    CL_CHECK(clSetKernelArg(trace, 3, sizeof(cl_mem), &d_escaped));
    size_t local[2] = {16, 16}, global[2] = {round_up(s.rays_x, 16), round_up(s.rays_y, 16)};
    CL_CHECK(clEnqueueNDRangeKernel(cl.queue, trace, 2, NULL, global, local, 0, NULL, NULL));
    read_back(&cl, d_absorbed, voxels * sizeof(cl_int), absorbed);
    read_back(&cl, d_escaped, rays * sizeof(cl_int), escaped);
    long long total = 0;
    for (size_t i = 0; i < voxels; i++)
        total += absorbed[i];
    for (size_t i = 0; i < rays; i++)
        total += escaped[i];
    printf("energy %lld of %lld\n", total, 1000ll * (long long)rays);
    clReleaseKernel(trace);
    clReleaseMemObject(d_density);
    clReleaseMemObject(d_absorbed);
    clReleaseMemObject(d_escaped);
    tear_down(&cl);
    free(density);
    free(absorbed);
    free(escaped);
    return total == 1000ll * (long long)rays ? 0 : 1;
}
