// program: 3-D heat equation, 7-point stencil, a plane in shared memory, two buffers in turn
// defect: diffuse: bounds: the last plane is let through, and reads one behind the array
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Grid {
    dim3 cells;
    float alpha;
    size_t count() const { return (size_t)cells.x * cells.y * cells.z; }
    size_t bytes() const { return count() * sizeof(float); }
};

struct Launch {
    dim3 grid, block;
    Launch(const Grid &g)
    {
        block = dim3(32, 4, 1);
        grid = dim3((g.cells.x + block.x - 1) / block.x, (g.cells.y + block.y - 1) / block.y, 1);
    }
};

#define CHECK(x)                                                                   \
    do {                                                                           \
        cudaError_t e_ = (x);                                                      \
        if (e_ != cudaSuccess) {                                                   \
            fprintf(stderr, "%s at %d\n", cudaGetErrorString(e_), __LINE__);       \
            abort();                                                               \
        }                                                                          \
    } while (0)

/* Each thread marches through the planes of its column. */
__global__ void diffuse(const float *in, float *out, int nx, int ny, int nz, float alpha)
{
    __shared__ float plane[6][34];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 4 + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const bool inside = x < nx && y < ny;
    const int stride = nx * ny;
    int index = y * nx + x;
    float below = 0.0f;
    float centre = inside ? in[index] : 0.0f;
    float above = inside ? in[index + stride] : 0.0f;
#ifdef DEFECT
    const int planes = nz;
#else
    const int planes = nz - 1;
#endif
    for (int z = 1; z < planes; z++) {
        index += stride;
        below = centre;
        centre = above;
        if (inside) {
            above = in[index + stride]; //~ bounds
        }
        __syncthreads();
        plane[ty][tx] = centre;
        if (inside) {
            if (threadIdx.x == 0 && x > 0) plane[ty][0] = in[index - 1];
            if (threadIdx.x == 31 && x < nx - 1) plane[ty][33] = in[index + 1];
            if (threadIdx.y == 0 && y > 0) plane[0][tx] = in[index - nx];
            if (threadIdx.y == 3 && y < ny - 1) plane[5][tx] = in[index + nx];
        }
        __syncthreads();
        if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1) {
            const float around = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
            out[index] = centre + alpha * (around + below + above - 6.0f * centre);
        }
    }
}

static void initialise(std::vector<float> &cells, const Grid &g)
{
    for (unsigned z = 0; z < g.cells.z; z++) {
        for (unsigned y = 0; y < g.cells.y; y++) {
            for (unsigned x = 0; x < g.cells.x; x++) {
                cells[((size_t)z * g.cells.y + y) * g.cells.x + x] = z == g.cells.z / 2 ? 100.0f : 20.0f;
            }
        }
    }
}

int main(int argc, char **argv)
{
    Grid g = {dim3(100, 90, 80), 0.1f};
    int steps = 50;
    for (int i = 1; i < argc; i++) {
        unsigned x, y, z;
        if (sscanf(argv[i], "--grid=%ux%ux%u", &x, &y, &z) == 3 && x > 2 && y > 2 && z > 2 && x <= 512 &&
            y <= 512 && z <= 512) {
            g.cells = dim3(x, y, z);
        } else if (strncmp(argv[i], "--steps=", 8) == 0) {
            steps = atoi(argv[i] + 8);
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 1;
        }
    }
    std::vector<float> host(g.count());
    initialise(host, g);
    float *buffers[2];
    for (float *&buffer : buffers) {
        CHECK(cudaMalloc(&buffer, g.bytes()));
        CHECK(cudaMemcpy(buffer, host.data(), g.bytes(), cudaMemcpyHostToDevice));
    }
    const Launch launch(g);
    int current = 0;
    for (int s = 0; s < steps; s++) {
        diffuse<<<launch.grid, launch.block>>>(buffers[current], buffers[1 - current], g.cells.x, g.cells.y,
                                               g.cells.z, g.alpha);
        current = 1 - current;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host.data(), buffers[current], g.bytes(), cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (float cell : host) total += cell;
    printf("mean temperature %f\n", total / host.size());
    for (float *buffer : buffers) CHECK(cudaFree(buffer));
    return 0;
}
