// program: all shortest paths by Floyd-Warshall, in place, a launch for each intermediate node
// defect: relax: bounds: the grid covers whole tiles and the guard on the row is missing
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int INF = 1000000000;

#define CHECK(stmt)                                                                  \
    do {                                                                             \
        cudaError_t err = stmt;                                                      \
        if (err != cudaSuccess) {                                                    \
            fprintf(stderr, "Failed to run %s: %s\n", #stmt, cudaGetErrorString(err)); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* Row and column k do not change: a path to k over k is no shorter, since d[k][k] is zero. */
__global__ void relax(int *distance, int *via, int n, int k)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef DEFECT
    if (j >= n) return;
#else
    if (i >= n || j >= n) return;
#endif
    const int to_k = distance[i * n + k]; //~ bounds
    const int from_k = distance[k * n + j];
    if (to_k < INF && from_k < INF && to_k + from_k < distance[i * n + j]) { //~ bounds
        distance[i * n + j] = to_k + from_k;
        via[i * n + j] = k;
    }
}

__global__ void reachable(const int *distance, unsigned int *count, int n)
{
    const int i = blockIdx.x;
    unsigned int mine = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        mine += distance[i * n + j] < INF;
    }
    for (int d = 16; d > 0; d >>= 1) {
        mine += __shfl_down_sync(0xffffffff, mine, d);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(count, mine);
}

static std::vector<int> random_graph(int n, int percent)
{
    std::vector<int> d((size_t)n * n, INF);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (rand() % 100 < percent) d[(size_t)i * n + j] = 1 + rand() % 1000;
        }
        d[(size_t)i * n + i] = 0;
    }
    return d;
}

int main(int argc, char **argv)
{
    int n = 250, percent = 3;
    if (argc > 1) n = atoi(argv[1]);
    if (argc > 2) percent = atoi(argv[2]);
    if (n < 2 || n > 8192 || percent < 0 || percent > 100) {
        fprintf(stderr, "usage: %s [nodes [percent]]\n", argv[0]);
        return 1;
    }
    std::vector<int> d = random_graph(n, percent);
    const size_t bytes = d.size() * sizeof(int);
    int *d_distance, *d_via;
    unsigned int *d_count, count;
    CHECK(cudaMalloc(&d_distance, bytes));
    CHECK(cudaMalloc(&d_via, bytes));
    CHECK(cudaMalloc(&d_count, sizeof(unsigned int)));
    CHECK(cudaMemcpy(d_distance, d.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_via, 0xff, bytes));
    CHECK(cudaMemset(d_count, 0, sizeof(unsigned int)));

    dim3 block(16, 16);
    dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    for (int k = 0; k < n; k++) {
        relax<<<grid, block>>>(d_distance, d_via, n, k);
    }
    CHECK(cudaGetLastError());
    reachable<<<n, 128>>>(d_distance, d_count, n);
    std::vector<int> result(d.size());
    CHECK(cudaMemcpy(result.data(), d_distance, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&count, d_count, sizeof(count), cudaMemcpyDeviceToHost));

    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            const int to_k = d[(size_t)i * n + k];
            if (to_k == INF) continue;
            for (int j = 0; j < n; j++) {
                const int from_k = d[(size_t)k * n + j];
                if (from_k < INF && to_k + from_k < d[(size_t)i * n + j]) d[(size_t)i * n + j] = to_k + from_k;
            }
        }
    }
    printf("%u reachable pairs, %s\n", count, result == d ? "right" : "wrong");
    cudaFree(d_distance);
    cudaFree(d_via);
    cudaFree(d_count);
    return result == d ? 0 : 1;
}
