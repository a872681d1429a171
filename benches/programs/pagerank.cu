// program: PageRank by pushing shares along the edges; dangling rank is spread evenly
// defect: push: race: shares are added to the pages that edges lead to without atomics
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#define HANDLE(err) (handle_error(err, __FILE__, __LINE__))
static void handle_error(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}

struct Edge {
    int from, to;
};

struct DeviceGraph {
    int pages = 0, links = 0;
    Edge *edges = nullptr;
    int *degree = nullptr;
};

__global__ void count_degrees(const Edge *edges, int *degree, int links)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < links; e += gridDim.x * blockDim.x) {
        atomicAdd(&degree[edges[e].from], 1);
    }
}

__global__ void push(DeviceGraph g, const float *rank, float *next)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= g.links) return;
    const Edge edge = g.edges[e];
    const float share = rank[edge.from] / g.degree[edge.from];
#ifdef DEFECT
    next[edge.to] += share; //~ race
#else
    atomicAdd(&next[edge.to], share);
#endif
}

__global__ void dangling_rank(DeviceGraph g, const float *rank, float *sum)
{
    __shared__ float of_block;
    if (threadIdx.x == 0) of_block = 0.0f;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < g.pages && g.degree[i] == 0) atomicAdd(&of_block, rank[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
}

__global__ void finish(float *next, float *rank, float *change, const float *dangling, float damping, int pages)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pages) return;
    const float value = (1.0f - damping) / pages + damping * (next[i] + *dangling / pages);
    atomicAdd(change, fabsf(value - rank[i]));
    rank[i] = value;
    next[i] = 0.0f;
}

static std::vector<Edge> read_or_make(const char *path, int &pages)
{
    std::vector<Edge> edges;
    if (path) {
        std::ifstream in(path);
        in >> pages;
        Edge edge;
        while (in >> edge.from >> edge.to) {
            if (edge.from < 0 || edge.from >= pages || edge.to < 0 || edge.to >= pages) {
                std::cerr << "bad edge\n";
                exit(1);
            }
            edges.push_back(edge);
        }
    } else {
        pages = 5000;
        for (int i = 0; i < 40000; i++) edges.push_back({rand() % (pages - 100), rand() % pages});
    }
    return edges;
}

int main(int argc, char **argv)
{
    DeviceGraph g;
    const std::vector<Edge> edges = read_or_make(argc > 1 ? argv[1] : nullptr, g.pages);
    const int iterations = argc > 2 ? atoi(argv[2]) : 50;
    g.links = (int)edges.size();
    if (g.pages < 1 || g.links < 1) return 1;
    float *rank, *next, *sums;
    HANDLE(cudaMalloc((void **)&g.edges, g.links * sizeof(Edge)));
    HANDLE(cudaMalloc((void **)&g.degree, g.pages * sizeof(int)));
    HANDLE(cudaMalloc((void **)&rank, g.pages * sizeof(float)));
    HANDLE(cudaMalloc((void **)&next, g.pages * sizeof(float)));
    HANDLE(cudaMalloc((void **)&sums, 2 * sizeof(float)));
    HANDLE(cudaMemcpy(g.edges, edges.data(), g.links * sizeof(Edge), cudaMemcpyHostToDevice));
    HANDLE(cudaMemset(g.degree, 0, g.pages * sizeof(int)));
    HANDLE(cudaMemset(next, 0, g.pages * sizeof(float)));
    std::vector<float> host(g.pages, 1.0f / g.pages);
    HANDLE(cudaMemcpy(rank, host.data(), g.pages * sizeof(float), cudaMemcpyHostToDevice));

    const int threads = 256;
    const int by_page = (g.pages + threads - 1) / threads;
    const int by_edge = (g.links + threads - 1) / threads;
    count_degrees<<<std::min(by_edge, 1024), threads>>>(g.edges, g.degree, g.links);
    for (int i = 0; i < iterations; i++) {
        HANDLE(cudaMemset(sums, 0, 2 * sizeof(float)));
        push<<<by_edge, threads>>>(g, rank, next);
        dangling_rank<<<by_page, threads>>>(g, rank, sums);
        finish<<<by_page, threads>>>(next, rank, sums + 1, sums, 0.85f, g.pages);
        float change;
        HANDLE(cudaMemcpy(&change, sums + 1, sizeof(float), cudaMemcpyDeviceToHost));
        if (change < 1e-6f) break;
    }
    HANDLE(cudaMemcpy(host.data(), rank, g.pages * sizeof(float), cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (float r : host) total += r;
    printf("sum of ranks %f, best page %d\n", total,
           int(std::max_element(host.begin(), host.end()) - host.begin()));
    for (void *p : {(void *)g.edges, (void *)g.degree, (void *)rank, (void *)next, (void *)sums}) HANDLE(cudaFree(p));
    return fabs(total - 1.0) < 1e-2 ? 0 : 1;
}
