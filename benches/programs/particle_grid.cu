// program: particles in a box: counted into cells, scanned, sorted by cell, pushed apart
// defect: sort_by_cell: race: the next free place of a cell is taken by a plain increment
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_ASSERT(x)                                                       \
    {                                                                        \
        cudaError_t rc_ = (x);                                               \
        if (rc_ != cudaSuccess) {                                            \
            fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(rc_)); \
            exit(EXIT_FAILURE);                                              \
        }                                                                    \
    }

struct Box {
    int3 cells;
    float cell_size;
    int particles;
};

__device__ int3 cell_of(const Box &box, float3 p)
{
    int3 c;
    c.x = min(max((int)(p.x / box.cell_size), 0), box.cells.x - 1);
    c.y = min(max((int)(p.y / box.cell_size), 0), box.cells.y - 1);
    c.z = min(max((int)(p.z / box.cell_size), 0), box.cells.z - 1);
    return c;
}

__device__ int flat(const Box &box, int3 c) { return (c.z * box.cells.y + c.y) * box.cells.x + c.x; }

__global__ void count_cells(Box box, const float3 *position, int *cell, int *counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= box.particles) return;
    const int c = flat(box, cell_of(box, position[i]));
    cell[i] = c;
    atomicAdd(&counts[c], 1);
}

/* One thread scans; there are few cells. */
__global__ void first_of_cells(const int *counts, int *first, int *next, int cells)
{
    int sum = 0;
    for (int c = 0; c < cells; c++) {
        first[c] = sum;
        next[c] = sum;
        sum += counts[c];
    }
    first[cells] = sum;
}

__global__ void sort_by_cell(Box box, const float3 *position, const int *cell, int *next, float3 *sorted)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= box.particles) return;
#ifdef DEFECT
    const int place = next[cell[i]]++; //~ race
    sorted[place] = position[i]; //~ race
#else
    const int place = atomicAdd(&next[cell[i]], 1);
    sorted[place] = position[i];
#endif
}

__global__ void push_apart(Box box, const float3 *sorted, const int *first, float3 *out, float radius)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= box.particles) return;
    const float3 me = sorted[i];
    const int3 own = cell_of(box, me);
    float3 push = make_float3(0, 0, 0);
    for (int z = max(own.z - 1, 0); z <= min(own.z + 1, box.cells.z - 1); z++) {
        for (int y = max(own.y - 1, 0); y <= min(own.y + 1, box.cells.y - 1); y++) {
            for (int x = max(own.x - 1, 0); x <= min(own.x + 1, box.cells.x - 1); x++) {
                const int c = flat(box, make_int3(x, y, z));
                for (int j = first[c]; j < first[c + 1]; j++) {
                    const float3 other = sorted[j];
                    const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
                    const float squared = dx * dx + dy * dy + dz * dz;
                    if (j != i && squared < radius * radius && squared > 0) {
                        const float factor = 0.5f * (radius - sqrtf(squared)) / sqrtf(squared);
                        push.x += dx * factor;
                        push.y += dy * factor;
                        push.z += dz * factor;
                    }
                }
            }
        }
    }
    out[i] = make_float3(me.x + push.x, me.y + push.y, me.z + push.z);
}

class Simulation {
public:
    Simulation(int particles, int side) : side_(side)
    {
        box_ = {make_int3(side, side, side), 1.0f, particles};
        cells_ = side * side * side;
        CUDA_ASSERT(cudaMalloc(&position_, particles * sizeof(float3)));
        CUDA_ASSERT(cudaMalloc(&sorted_, particles * sizeof(float3)));
        CUDA_ASSERT(cudaMalloc(&cell_, particles * sizeof(int)));
        CUDA_ASSERT(cudaMalloc(&counts_, cells_ * sizeof(int)));
        CUDA_ASSERT(cudaMalloc(&first_, (cells_ + 1) * sizeof(int)));
        CUDA_ASSERT(cudaMalloc(&next_, cells_ * sizeof(int)));
        std::vector<float3> host(particles);
        for (float3 &p : host) p = make_float3(coordinate(), coordinate(), coordinate());
        CUDA_ASSERT(cudaMemcpy(position_, host.data(), particles * sizeof(float3), cudaMemcpyHostToDevice));
    }
    ~Simulation()
    {
        for (void *p : {(void *)position_, (void *)sorted_, (void *)cell_, (void *)counts_, (void *)first_, (void *)next_}) cudaFree(p);
    }
    void step(cudaStream_t stream)
    {
        const int threads = 256, blocks = (box_.particles + threads - 1) / threads;
        CUDA_ASSERT(cudaMemsetAsync(counts_, 0, cells_ * sizeof(int), stream));
        count_cells<<<blocks, threads, 0, stream>>>(box_, position_, cell_, counts_);
        first_of_cells<<<1, 1, 0, stream>>>(counts_, first_, next_, cells_);
        sort_by_cell<<<blocks, threads, 0, stream>>>(box_, position_, cell_, next_, sorted_);
        push_apart<<<blocks, threads, 0, stream>>>(box_, sorted_, first_, position_, 0.9f);
        CUDA_ASSERT(cudaGetLastError());
    }
    std::vector<float3> download() const
    {
        std::vector<float3> host(box_.particles);
        CUDA_ASSERT(cudaMemcpy(host.data(), position_, host.size() * sizeof(float3), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    float coordinate() const { return side_ * (float)rand() / RAND_MAX; }
    Box box_;
    int side_, cells_;
    float3 *position_, *sorted_;
    int *cell_, *counts_, *first_, *next_;
};

int main(int argc, char **argv)
{
    const int particles = argc > 1 ? atoi(argv[1]) : 5000, side = argc > 2 ? atoi(argv[2]) : 12;
    const int steps = argc > 3 ? atoi(argv[3]) : 20;
    if (particles < 1 || side < 1 || side > 128 || particles > 10000000) return EXIT_FAILURE;
    cudaStream_t stream;
    CUDA_ASSERT(cudaStreamCreate(&stream));
    Simulation simulation(particles, side);
    for (int s = 0; s < steps; s++) simulation.step(stream);
    CUDA_ASSERT(cudaStreamSynchronize(stream));
    int bad = 0;
    for (float3 p : simulation.download()) bad += !std::isfinite(p.x + p.y + p.z);
    printf("%d positions are not finite\n", bad);
    CUDA_ASSERT(cudaStreamDestroy(stream));
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
