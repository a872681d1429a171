// program: breadth-first search with two worklists, nodes claimed by compare-and-swap
// defect: expand: race: places in the next worklist are taken without an atomic operation
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#define CK(x)                                                                          \
    do {                                                                               \
        if (cudaError_t e = (x)) {                                                     \
            fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e));              \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

struct Graph {
    int nodes;
    int *first;
    int *edges;
};

__global__ void set_levels(int *level, int nodes, int source)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nodes) level[i] = i == source ? 0 : -1;
}

__global__ void expand(Graph g, int *level, const int *work, int count, int *next, int *next_count, int depth)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int node = work[i];
    for (int e = g.first[node]; e < g.first[node + 1]; e++) {
        const int neighbour = g.edges[e];
        if (atomicCAS(&level[neighbour], -1, depth) == -1) {
#ifdef DEFECT
            const int place = *next_count; //~ race
            *next_count = place + 1; //~ race
            next[place] = neighbour; //~ race
#else
            const int place = atomicAdd(next_count, 1);
            next[place] = neighbour;
#endif
        }
    }
}

class Bfs {
public:
    Bfs(const std::vector<int> &first, const std::vector<int> &edges)
    {
        graph_.nodes = (int)first.size() - 1;
        CK(cudaMalloc(&graph_.first, first.size() * sizeof(int)));
        CK(cudaMalloc(&graph_.edges, edges.size() * sizeof(int)));
        CK(cudaMemcpy(graph_.first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
        CK(cudaMemcpy(graph_.edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
        CK(cudaMalloc(&level_, graph_.nodes * sizeof(int)));
        CK(cudaMalloc(&work_, graph_.nodes * sizeof(int)));
        CK(cudaMalloc(&next_, graph_.nodes * sizeof(int)));
        CK(cudaMalloc(&count_, sizeof(int)));
    }
    ~Bfs()
    {
        for (int *p : {graph_.first, graph_.edges, level_, work_, next_, count_}) cudaFree(p);
    }
    std::vector<int> run(int source)
    {
        set_levels<<<(graph_.nodes + block - 1) / block, block>>>(level_, graph_.nodes, source);
        CK(cudaMemcpy(work_, &source, sizeof(int), cudaMemcpyHostToDevice));
        int count = 1;
        for (int depth = 1; count > 0; depth++) {
            CK(cudaMemset(count_, 0, sizeof(int)));
            expand<<<(count + block - 1) / block, block>>>(graph_, level_, work_, count, next_, count_, depth);
            CK(cudaMemcpy(&count, count_, sizeof(int), cudaMemcpyDeviceToHost));
            std::swap(work_, next_);
        }
        std::vector<int> level(graph_.nodes);
        CK(cudaMemcpy(level.data(), level_, level.size() * sizeof(int), cudaMemcpyDeviceToHost));
        return level;
    }

private:
    static constexpr int block = 192;
    Graph graph_;
    int *level_, *work_, *next_, *count_;
};

int main(int argc, char **argv)
{
    const int nodes = argc > 1 ? atoi(argv[1]) : 20000;
    const int degree = argc > 2 ? atoi(argv[2]) : 8;
    if (nodes < 1 || degree < 1 || (long long)nodes * degree > (1 << 28)) return 1;
    std::mt19937 random(7);
    std::vector<int> first(nodes + 1), edges(nodes * degree);
    for (int i = 0; i <= nodes; i++) first[i] = i * degree;
    for (int &edge : edges) edge = random() % nodes;
    Bfs bfs(first, edges);
    const std::vector<int> level = bfs.run(0);

    std::vector<int> expected(nodes, -1);
    std::queue<int> queue({0});
    expected[0] = 0;
    while (!queue.empty()) {
        const int node = queue.front();
        queue.pop();
        for (int e = first[node]; e < first[node + 1]; e++) {
            if (expected[edges[e]] < 0) {
                expected[edges[e]] = expected[node] + 1;
                queue.push(edges[e]);
            }
        }
    }
    printf("%s\n", level == expected ? "levels agree" : "levels differ");
    return level == expected ? 0 : 1;
}
