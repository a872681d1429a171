// program: connected components by hooking with atomicMin and pointer jumping into a second array
// defect: jump: race: pointer jumping works in place, and reads parents that other threads replace
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#define GPU(x)                                                             \
    {                                                                      \
        const cudaError_t e = x;                                           \
        if (e != cudaSuccess) {                                            \
            printf("%s (%s)\n", cudaGetErrorString(e), #x);                \
            exit(-1);                                                      \
        }                                                                  \
    }

__global__ void init(int *parent, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) parent[i] = i;
}

/* Links the root of the larger label to the smaller label. */
__global__ void hook(const int2 *edges, const int *parent, int *hooked, int m, int *changed)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int u = parent[edges[e].x];
    int v = parent[edges[e].y];
    if (u == v) return;
    int low = min(u, v), high = max(u, v);
    if (atomicMin(&hooked[high], low) > low) {
        atomicExch(changed, 1);
    }
}

#ifdef DEFECT
__global__ void jump(int *from, int *to, int n, int *changed)
#else
__global__ void jump(const int *__restrict__ from, int *__restrict__ to, int n, int *changed)
#endif
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int parent = from[i]; //~ race
    int grandparent = from[parent]; //~ race
#ifdef DEFECT
    to = from;
#endif
    to[i] = grandparent; //~ race
    if (grandparent != parent) *changed = 1;
}

static int read_flag(int *flag)
{
    int value;
    GPU(cudaMemcpy(&value, flag, sizeof(int), cudaMemcpyDeviceToHost));
    GPU(cudaMemset(flag, 0, sizeof(int)));
    return value;
}

static int find(std::vector<int> &p, int i)
{
    while (p[i] != i) i = p[i] = p[p[i]];
    return i;
}

int main(int argc, char **argv)
{
    int n = 10000, m = 9000;
    if (argc == 3) {
        n = atoi(argv[1]);
        m = atoi(argv[2]);
    }
    if (n < 2 || m < 1) return 1;
    std::vector<int2> edges(m);
    for (int2 &e : edges) e = make_int2(rand() % n, rand() % n);

    int2 *d_edges;
    int *a, *b, *flag;
    GPU(cudaMalloc(&d_edges, m * sizeof(int2)));
    GPU(cudaMalloc(&a, n * sizeof(int)));
    GPU(cudaMalloc(&b, n * sizeof(int)));
    GPU(cudaMalloc(&flag, sizeof(int)));
    GPU(cudaMemcpy(d_edges, edges.data(), m * sizeof(int2), cudaMemcpyHostToDevice));
    GPU(cudaMemset(flag, 0, sizeof(int)));

    const dim3 block(256);
    const dim3 node_grid((n + block.x - 1) / block.x), edge_grid((m + block.x - 1) / block.x);
    init<<<node_grid, block>>>(a, n);
    int rounds = 0;
    do {
        rounds++;
        GPU(cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice));
        hook<<<edge_grid, block>>>(d_edges, a, b, m, flag);
        const int hooked = read_flag(flag);
        std::swap(a, b);
        if (!hooked) break;
        do {
            jump<<<node_grid, block>>>(a, b, n, flag);
#ifndef DEFECT
            std::swap(a, b);
#endif
        } while (read_flag(flag));
    } while (true);

    std::vector<int> label(n), reference(n);
    GPU(cudaMemcpy(label.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost));
    std::iota(reference.begin(), reference.end(), 0);
    for (int2 e : edges) {
        int u = find(reference, e.x), v = find(reference, e.y);
        if (u != v) reference[u > v ? u : v] = u < v ? u : v;
    }
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += find(reference, i) != label[i];
    printf("%zu components in %d rounds, %d wrong\n", std::set<int>(label.begin(), label.end()).size(), rounds, wrong);
    cudaFree(d_edges);
    cudaFree(a);
    cudaFree(b);
    cudaFree(flag);
    return wrong != 0;
}
