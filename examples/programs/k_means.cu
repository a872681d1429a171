//pass
// the sizes of its own launches
// Clusters of points in the plane: each point goes to the nearest of the centres, which lie in shared memory; a warp
// adds up its points' distances by shuffles, and the points of a cluster are added up with atomics, block by block.

#include <cuda_runtime.h>

#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int BLOCK = 256;
constexpr int MOST_CLUSTERS = 32;

/* What is added up of a cluster. */
struct Tally {
    float x;
    float y;
    int points;
};

// ---- Kernels --------------------------------------------------------------------------------------------

__device__ __forceinline__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffff, value, offset);
    }
    return value;
}

__global__ void __launch_bounds__(BLOCK)
assign(const float2 *__restrict__ points, int count, const float2 *__restrict__ centres, int clusters,
       int *__restrict__ nearest, float *inertia)
{
    __shared__ float2 near_centres[MOST_CLUSTERS];
    __shared__ float of_warps[BLOCK / 32];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    if (t < clusters && t < MOST_CLUSTERS) {
        near_centres[t] = centres[t];
    }
    __syncthreads();

    float least = 0.0f;
    if (i < count) {
        const float2 point = points[i];
        int best = 0;
        least = FLT_MAX;
        for (int c = 0; c < min(clusters, MOST_CLUSTERS); c++) {
            const float dx = point.x - near_centres[c].x;
            const float dy = point.y - near_centres[c].y;
            const float distance = dx * dx + dy * dy;
            if (distance < least) {
                least = distance;
                best = c;
            }
        }
        nearest[i] = best;
    }

    const float sum = warp_sum(least);
    if (t % 32 == 0) {
        of_warps[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        const float total = warp_sum(t < BLOCK / 32 ? of_warps[t] : 0.0f);
        if (t == 0) {
            atomicAdd(inertia, total);
        }
    }
}

__global__ void __launch_bounds__(BLOCK)
tally(const float2 *__restrict__ points, const int *__restrict__ nearest, int count, Tally *tallies, int clusters)
{
    __shared__ Tally of_block[MOST_CLUSTERS];
    const int t = threadIdx.x;
    if (t < MOST_CLUSTERS) {
        of_block[t] = Tally{0.0f, 0.0f, 0};
    }
    __syncthreads();

    const int i = blockIdx.x * BLOCK + t;
    if (i < count) {
        Tally &mine = of_block[static_cast<unsigned>(nearest[i]) % MOST_CLUSTERS];
        atomicAdd(&mine.x, points[i].x);
        atomicAdd(&mine.y, points[i].y);
        atomicAdd(&mine.points, 1);
    }
    __syncthreads();

    if (t < clusters && t < MOST_CLUSTERS && of_block[t].points > 0) {
        atomicAdd(&tallies[t].x, of_block[t].x);
        atomicAdd(&tallies[t].y, of_block[t].y);
        atomicAdd(&tallies[t].points, of_block[t].points);
    }
}

/* Each centre moves to the middle of its points, and its tally begins anew. */
__global__ void move_centres(float2 *centres, Tally *tallies, int clusters)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < clusters) {
        const Tally all = tallies[c];
        if (all.points > 0) {
            centres[c] = make_float2(all.x / all.points, all.y / all.points);
        }
        tallies[c] = Tally{0.0f, 0.0f, 0};
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

#define gpu(call) gpu_check((call), #call, __LINE__)
static void gpu_check(cudaError_t status, const char *call, int line)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%d: %s: %s\n", line, call, cudaGetErrorString(status));
        std::exit(1);
    }
}

/* Memory that host and device both see. */
template <typename T>
class Managed {
public:
    explicit Managed(int count) : count_(count) { gpu(cudaMallocManaged(&data_, sizeof(T) * count)); }
    ~Managed() { cudaFree(data_); }
    Managed(const Managed &) = delete;
    Managed &operator=(const Managed &) = delete;
    T *get() const { return data_; }
    T &operator[](int i) const { return data_[i]; }
    T *begin() const { return data_; }
    T *end() const { return data_ + count_; }

private:
    T *data_ = nullptr;
    int count_;
};

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 100000;
    const int clusters = argc > 2 ? std::atoi(argv[2]) : 8;
    const int rounds = argc > 3 ? std::atoi(argv[3]) : 10;
    if (count < 1 || clusters < 1 || clusters > MOST_CLUSTERS) {
        std::fprintf(stderr, "usage: %s [points [clusters [rounds]]], at most %d clusters\n", argv[0], MOST_CLUSTERS);
        return 1;
    }

    Managed<float2> points(count), centres(clusters);
    Managed<int> nearest(count);
    Managed<Tally> tallies(clusters);
    Managed<float> inertia(1);
    std::mt19937 random(11);
    std::normal_distribution<float> spread(0.0f, 0.3f);
    for (int i = 0; i < count; i++) {
        const int cluster = i % clusters;
        points[i] = make_float2(cluster % 4 + spread(random), cluster / 4 + spread(random));
    }
    for (int c = 0; c < clusters; c++) {
        centres[c] = points[c % count];
        tallies[c] = Tally{0.0f, 0.0f, 0};
    }

    const int blocks = (count + BLOCK - 1) / BLOCK;
    cudaStream_t stream;
    gpu(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    float first = 0.0f, last = 0.0f;
    for (int round = 0; round < rounds; round++) {
        inertia[0] = 0.0f;
        assign<<<blocks, BLOCK, 0, stream>>>(points.get(), count, centres.get(), clusters, nearest.get(),
                                             inertia.get());
        tally<<<blocks, BLOCK, 0, stream>>>(points.get(), nearest.get(), count, tallies.get(), clusters);
        move_centres<<<1, BLOCK, 0, stream>>>(centres.get(), tallies.get(), clusters);
        gpu(cudaGetLastError());
        gpu(cudaStreamSynchronize(stream));
        last = inertia[0];
        first = round == 0 ? last : first;
    }
    gpu(cudaStreamDestroy(stream));

    bool passed = last <= first * 1.0001f;
    for (int cluster : nearest) {
        passed = passed && cluster >= 0 && cluster < clusters;
    }
    std::printf("%d points, %d clusters: inertia %.3f, then %.3f: %s\n", count, clusters, first, last,
                passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
