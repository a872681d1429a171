//pass
// the sizes of its own launches
// Heat spreading over a plate, two steps per round between two buffers: once a launch per step, once all steps in a
// single cooperative launch with barriers of the whole grid. The largest change is found by tiles of a warp.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

constexpr int SIDE = 16;

// ---- Kernels --------------------------------------------------------------------------------------------

/* The plate's size; its border keeps its temperature. */
struct Plate {
    int width;
    int height;
    float conductivity;
};

__device__ float next_temperature(const float *from, const Plate &plate, int x, int y)
{
    const int i = y * plate.width + x;
    const float here = from[i];
    if (x == 0 || y == 0 || x == plate.width - 1 || y == plate.height - 1) {
        return here;
    }
    const float around = from[i - 1] + from[i + 1] + from[i - plate.width] + from[i + plate.width];
    return here + plate.conductivity * (around - 4.0f * here);
}

__global__ void one_step(const float *__restrict__ from, float *__restrict__ to, Plate plate)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < plate.width && y < plate.height) {
        to[y * plate.width + x] = next_temperature(from, plate, x, y);
    }
}

/* A step of the whole plate by however many threads there are. */
__device__ void sweep(const float *from, float *to, const Plate &plate)
{
    const int cells = plate.width * plate.height;
    const int at_once = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += at_once) {
        to[i] = next_temperature(from, plate, i % plate.width, i / plate.width);
    }
}

__global__ void __launch_bounds__(SIDE * SIDE) all_steps(float *a, float *b, Plate plate, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; round++) {
        sweep(a, b, plate);
        grid.sync();
        sweep(b, a, plate);
        grid.sync();
    }
}

/* The largest difference between two states of the plate; it is not negative, so its bits compare as integers do. */
__global__ void __launch_bounds__(SIDE * SIDE)
largest_change(const float *a, const float *b, Plate plate, int *largest_bits)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    __shared__ float of_warps[SIDE * SIDE / 32];

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    float change = 0.0f;
    if (x < plate.width && y < plate.height) {
        change = fabsf(a[y * plate.width + x] - b[y * plate.width + x]);
    }
    change = cg::reduce(warp, change, cg::greater<float>());
    if (warp.thread_rank() == 0) {
        of_warps[warp.meta_group_rank()] = change;
    }
    block.sync();
    if (block.thread_rank() == 0) {
        for (unsigned i = 1; i < warp.meta_group_size(); i++) {
            change = fmaxf(change, of_warps[i]);
        }
        atomicMax(largest_bits, __float_as_int(change));
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

static void check(cudaError_t status, int line)
{
    if (status != cudaSuccess) {
        std::cerr << "line " << line << ": " << cudaGetErrorString(status) << "\n";
        std::exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

class Field {
public:
    explicit Field(const std::vector<float> &values) : bytes_(values.size() * sizeof(float))
    {
        CHECK(cudaMalloc((void **)&data_, bytes_));
        CHECK(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice));
    }
    ~Field() { cudaFree(data_); }
    Field(const Field &) = delete;
    Field &operator=(const Field &) = delete;
    float *data() const { return data_; }

private:
    float *data_ = nullptr;
    size_t bytes_;
};

static float change_between(const Field &a, const Field &b, const Plate &plate)
{
    const dim3 grid((plate.width + SIDE - 1) / SIDE, (plate.height + SIDE - 1) / SIDE);
    int bits = 0, *device_bits;
    CHECK(cudaMalloc(&device_bits, sizeof(int)));
    CHECK(cudaMemset(device_bits, 0, sizeof(int)));
    largest_change<<<grid, dim3(SIDE, SIDE)>>>(a.data(), b.data(), plate, device_bits);
    CHECK(cudaMemcpy(&bits, device_bits, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_bits));
    float change;
    static_assert(sizeof(change) == sizeof(bits), "bits of a float");
    std::memcpy(&change, &bits, sizeof(change));
    return change;
}

int main(int argc, char **argv)
{
    Plate plate = {argc > 1 ? std::atoi(argv[1]) : 500, argc > 2 ? std::atoi(argv[2]) : 300, 0.2f};
    int rounds = argc > 3 ? std::atoi(argv[3]) : 100;

    std::vector<float> start(plate.width * plate.height, 20.0f);
    for (int x = 0; x < plate.width; x++) {
        start[x] = 100.0f;
    }
    Field initial(start), from(start), to(start), a(start), b(start);

    const dim3 block(SIDE, SIDE);
    const dim3 grid((plate.width + SIDE - 1) / SIDE, (plate.height + SIDE - 1) / SIDE);
    for (int round = 0; round < rounds; round++) {
        one_step<<<grid, block>>>(from.data(), to.data(), plate);
        one_step<<<grid, block>>>(to.data(), from.data(), plate);
    }
    CHECK(cudaGetLastError());

    int device = 0, cooperative = 0, multiprocessors = 0, blocks_each = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, all_steps, SIDE * SIDE, 0));
    if (!cooperative) {
        std::cout << "no cooperative launches on this device\n";
        return 0;
    }
    float *buffers[] = {a.data(), b.data()};
    void *arguments[] = {&buffers[0], &buffers[1], &plate, &rounds};
    const dim3 resident(blocks_each * multiprocessors);
    CHECK(cudaLaunchCooperativeKernel((const void *)all_steps, resident, dim3(SIDE * SIDE), arguments, 0, nullptr));
    CHECK(cudaDeviceSynchronize());

    const float difference = change_between(from, a, plate);
    const float progress = change_between(from, initial, plate);
    const bool passed = difference == 0.0f && (rounds == 0 || progress > 0.0f);
    std::cout << plate.width << " x " << plate.height << ", " << 2 * rounds << " steps: the plate changed by up to "
              << progress << ", the two ways differ by " << difference
              << (passed ? ": PASSED" : ": FAILED") << std::endl;
    return passed ? 0 : 1;
}
