// program: labels the connected regions of a binary image by union-find with compare-and-swap
// defect: merge: race: the root is linked by a plain store, while other threads follow and link it
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CC(x)                                                                \
    do {                                                                     \
        cudaError_t e_ = (x);                                                \
        if (e_ != cudaSuccess) {                                             \
            printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

using Cell = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ int find_root(int *labels, int i)
{
    int parent = Cell(labels[i]).load(cuda::memory_order_relaxed);
    while (parent != i) {
        i = parent;
        parent = Cell(labels[i]).load(cuda::memory_order_relaxed); //~ race
    }
    return i;
}

__device__ void unite(int *labels, int a, int b)
{
    for (;;) {
        a = find_root(labels, a);
        b = find_root(labels, b);
        if (a == b) return;
        if (a < b) {
            const int t = a;
            a = b;
            b = t;
        }
#ifdef DEFECT
        labels[a] = b; //~ race
        return;
#else
        if (atomicCAS(&labels[a], a, b) == a) return;
#endif
    }
}

__global__ void init(int *labels, const unsigned char *image, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    labels[i] = image[i] ? i : -1;
}

__global__ void merge(int *labels, const unsigned char *image, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (!image[i]) return;
    if (x > 0 && image[i - 1]) unite(labels, i, i - 1);
    if (y > 0 && image[i - width]) unite(labels, i, i - width);
}

__global__ void flatten(int *labels, const unsigned char *image, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count || !image[i]) return;
    const int root = find_root(labels, i);
    Cell(labels[i]).store(root, cuda::memory_order_relaxed);
}

static int host_find(std::vector<int> &p, int i)
{
    while (p[i] != i) i = p[i] = p[p[i]];
    return i;
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? atoi(argv[1]) : 500, height = argc > 2 ? atoi(argv[2]) : 300;
    if (width < 1 || height < 1 || width > 10000 || height > 10000) return 1;
    const int count = width * height;
    std::vector<unsigned char> image(count);
    for (unsigned char &p : image) p = rand() % 100 < 55;
    unsigned char *d_image;
    int *d_labels;
    CC(cudaMalloc(&d_image, count));
    CC(cudaMalloc(&d_labels, count * sizeof(int)));
    CC(cudaMemcpy(d_image, image.data(), count, cudaMemcpyHostToDevice));
    const dim3 block(32, 4), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    init<<<grid, block>>>(d_labels, d_image, width, height);
    merge<<<grid, block>>>(d_labels, d_image, width, height);
    flatten<<<(count + 255) / 256, 256>>>(d_labels, d_image, count);
    std::vector<int> labels(count), parent(count);
    CC(cudaMemcpy(labels.data(), d_labels, count * sizeof(int), cudaMemcpyDeviceToHost));
    std::iota(parent.begin(), parent.end(), 0);
    for (int i = 0; i < count; i++) {
        if (!image[i]) continue;
        for (int other : {i % width > 0 ? i - 1 : -1, i - width}) {
            if (other < 0 || !image[other]) continue;
            const int a = host_find(parent, i), b = host_find(parent, other);
            parent[a > b ? a : b] = a < b ? a : b;
        }
    }
    int wrong = 0;
    for (int i = 0; i < count; i++) wrong += labels[i] != (image[i] ? host_find(parent, i) : -1);
    printf("%d labels wrong\n", wrong);
    CC(cudaFree(d_image));
    CC(cudaFree(d_labels));
    return wrong != 0;
}
