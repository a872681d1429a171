// program: single-source shortest paths by Bellman-Ford, rounds until nothing changes
// defect: relax: race: the minimum is taken by a plain read and write
#include <hip/hip_runtime.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <queue>
#include <vector>

#define HIP_CHECK(expression)                                                   \
    {                                                                           \
        const hipError_t status = expression;                                   \
        if (status != hipSuccess) {                                             \
            fprintf(stderr, "HIP error %d: %s at %d\n", status,                 \
                    hipGetErrorString(status), __LINE__);                       \
            exit(EXIT_FAILURE);                                                 \
        }                                                                       \
    }

struct Graph {
    int nodes, edges;
    int *offsets;
    int *targets;
    int *weights;
};

__global__ void fill(int *distance, int nodes, int source)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nodes) {
        distance[i] = i == source ? 0 : INT_MAX;
    }
}

__global__ void relax(Graph g, const int *distance, int *next, int *changed)
{
    const int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes || distance[node] == INT_MAX) return;
    for (int e = g.offsets[node]; e < g.offsets[node + 1]; e++) {
        const int candidate = distance[node] + g.weights[e];
#ifdef DEFECT
        if (candidate < next[g.targets[e]]) { //~ race
            next[g.targets[e]] = candidate; //~ race
            *changed = 1;
        }
#else
        if (atomicMin(&next[g.targets[e]], candidate) > candidate) {
            *changed = 1;
        }
#endif
    }
}

static std::vector<int> dijkstra(const std::vector<int> &offsets, const std::vector<int> &targets,
                                 const std::vector<int> &weights)
{
    using Item = std::pair<int, int>;
    std::vector<int> distance(offsets.size() - 1, INT_MAX);
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    distance[0] = 0;
    queue.push({0, 0});
    while (!queue.empty()) {
        const auto [d, node] = queue.top();
        queue.pop();
        if (d > distance[node]) continue;
        for (int e = offsets[node]; e < offsets[node + 1]; e++) {
            if (d + weights[e] < distance[targets[e]]) {
                distance[targets[e]] = d + weights[e];
                queue.push({distance[targets[e]], targets[e]});
            }
        }
    }
    return distance;
}

int main(int argc, char *argv[])
{
    int nodes = 10000, degree = 6;
    if (argc > 1) nodes = atoi(argv[1]);
    if (argc > 2) degree = atoi(argv[2]);
    if (nodes < 1 || degree < 1 || nodes > 1000000 || degree > 100) return EXIT_FAILURE;
    std::vector<int> offsets(nodes + 1), targets, weights;
    for (int i = 0; i < nodes; i++) {
        for (int j = rand() % (2 * degree); j > 0; j--) {
            targets.push_back(rand() % nodes);
            weights.push_back(1 + rand() % 100);
        }
        offsets[i + 1] = (int)targets.size();
    }
    targets.push_back(0);
    weights.push_back(0);

    Graph g;
    g.nodes = nodes;
    g.edges = offsets[nodes];
    int *distance, *next, *changed;
    HIP_CHECK(hipMalloc(&g.offsets, offsets.size() * sizeof(int)));
    HIP_CHECK(hipMalloc(&g.targets, targets.size() * sizeof(int)));
    HIP_CHECK(hipMalloc(&g.weights, weights.size() * sizeof(int)));
    HIP_CHECK(hipMalloc(&distance, nodes * sizeof(int)));
    HIP_CHECK(hipMalloc(&next, nodes * sizeof(int)));
    HIP_CHECK(hipMalloc(&changed, sizeof(int)));
    HIP_CHECK(hipMemcpy(g.offsets, offsets.data(), offsets.size() * sizeof(int), hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(g.targets, targets.data(), targets.size() * sizeof(int), hipMemcpyHostToDevice));
    HIP_CHECK(hipMemcpy(g.weights, weights.data(), weights.size() * sizeof(int), hipMemcpyHostToDevice));

    const int block = 256;
    const int grid = (nodes + block - 1) / block;
    hipLaunchKernelGGL(fill, dim3(grid), dim3(block), 0, 0, distance, nodes, 0);
    HIP_CHECK(hipMemcpy(next, distance, nodes * sizeof(int), hipMemcpyDeviceToDevice));
    int again, rounds = 0;
    do {
        HIP_CHECK(hipMemset(changed, 0, sizeof(int)));
        hipLaunchKernelGGL(relax, dim3(grid), dim3(block), 0, 0, g, distance, next, changed);
        HIP_CHECK(hipMemcpy(distance, next, nodes * sizeof(int), hipMemcpyDeviceToDevice));
        HIP_CHECK(hipMemcpy(&again, changed, sizeof(int), hipMemcpyDeviceToHost));
        rounds++;
    } while (again);
    std::vector<int> result(nodes);
    HIP_CHECK(hipMemcpy(result.data(), distance, nodes * sizeof(int), hipMemcpyDeviceToHost));
    const bool right = result == dijkstra(offsets, targets, weights);
    printf("%d rounds, %s\n", rounds, right ? "right" : "wrong");
    HIP_CHECK(hipFree(g.offsets));
    HIP_CHECK(hipFree(g.targets));
    HIP_CHECK(hipFree(g.weights));
    HIP_CHECK(hipFree(distance));
    HIP_CHECK(hipFree(next));
    HIP_CHECK(hipFree(changed));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
