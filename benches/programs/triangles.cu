// program: counts the triangles of a graph, a warp for each edge, by searching sorted lists
// defect: count: race: the triangles of a vertex are added up without an atomic operation
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(f)                                                              \
    do {                                                                           \
        cudaError_t r = (f);                                                       \
        if (r != cudaSuccess) {                                                    \
            fprintf(stderr, "%s: %s\n", #f, cudaGetErrorString(r));                \
            std::exit(EXIT_FAILURE);                                               \
        }                                                                          \
    } while (0)

constexpr unsigned FULL = 0xffffffffu;
constexpr int WARP = 32;

__device__ bool contains(const int *list, int length, int value)
{
    int low = 0, high = length;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle] < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < length && list[low] == value;
}

/* Edges lead from smaller to larger numbers, so each triangle is found once. */
__global__ void count(const int *offsets, const int *neighbours, const int *sources, int edges, int *of_vertex,
                      unsigned long long *total)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP;
    if (warp >= edges) return;
    const int u = sources[warp];
    const int v = neighbours[warp];
    const int *list_u = neighbours + offsets[u];
    const int *list_v = neighbours + offsets[v];
    const int length_u = offsets[u + 1] - offsets[u];
    const int length_v = offsets[v + 1] - offsets[v];
    int found = 0;
    for (int i = lane; i < length_v; i += WARP) {
        found += contains(list_u, length_u, list_v[i]);
    }
    for (int d = WARP / 2; d > 0; d /= 2) {
        found += __shfl_down_sync(FULL, found, d);
    }
    if (lane == 0 && found > 0) {
#ifdef DEFECT
        of_vertex[u] += found; //~ race
#else
        atomicAdd(&of_vertex[u], found);
#endif
        atomicAdd(total, (unsigned long long)found);
    }
}

struct Graph {
    std::vector<int> offsets, neighbours, sources;
};

static Graph random_graph(int n, int degree)
{
    Graph g;
    g.offsets.push_back(0);
    for (int u = 0; u < n; u++) {
        std::vector<int> list;
        for (int i = 0; i < degree; i++) {
            const int v = u + 1 + rand() % 64;
            if (v < n) list.push_back(v);
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        g.neighbours.insert(g.neighbours.end(), list.begin(), list.end());
        g.sources.insert(g.sources.end(), list.size(), u);
        g.offsets.push_back((int)g.neighbours.size());
    }
    return g;
}

static int *copy(const std::vector<int> &v)
{
    int *p = nullptr;
    CHECK_CUDA(cudaMalloc(&p, v.size() * sizeof(int)));
    CHECK_CUDA(cudaMemcpy(p, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice));
    return p;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 4000;
    const int degree = argc > 2 ? atoi(argv[2]) : 16;
    if (n < 3 || n > 1000000 || degree < 1 || degree > 64) return 1;
    const Graph g = random_graph(n, degree);
    const int edges = (int)g.neighbours.size();
    int *offsets = copy(g.offsets), *neighbours = copy(g.neighbours), *sources = copy(g.sources), *of_vertex;
    unsigned long long *total, found = 0;
    CHECK_CUDA(cudaMalloc(&of_vertex, n * sizeof(int)));
    CHECK_CUDA(cudaMemset(of_vertex, 0, n * sizeof(int)));
    CHECK_CUDA(cudaMallocManaged(&total, sizeof(*total)));
    *total = 0;
    const int warps_per_block = 4;
    count<<<(edges + warps_per_block - 1) / warps_per_block, warps_per_block * WARP>>>(offsets, neighbours, sources,
                                                                                       edges, of_vertex, total);
    CHECK_CUDA(cudaDeviceSynchronize());
    found = *total;
    unsigned long long expected = 0;
    for (int e = 0; e < edges; e++) {
        const int u = g.sources[e], v = g.neighbours[e];
        for (int i = g.offsets[v]; i < g.offsets[v + 1]; i++) {
            expected += std::binary_search(g.neighbours.begin() + g.offsets[u],
                                           g.neighbours.begin() + g.offsets[u + 1], g.neighbours[i]);
        }
    }
    printf("%llu triangles, expected %llu\n", found, expected);
    for (int *p : {offsets, neighbours, sources, of_vertex}) CHECK_CUDA(cudaFree(p));
    CHECK_CUDA(cudaFree(total));
    return found == expected ? 0 : 1;
}
