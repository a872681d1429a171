//pass
// the sizes of its own launches
// Matrix products for matrices of any shape: one thread per element of the result, once reading global memory
// directly and once by tiles in shared memory, whose edges beyond the matrices are filled with zeros.

#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// ---- Errors as exceptions -----------------------------------------------------------------------------

inline void check(cudaError_t status, const char *what, const char *file, int line)
{
    if (status != cudaSuccess) {
        std::ostringstream message;
        message << file << ":" << line << ": " << what << ": " << cudaGetErrorName(status);
        throw std::runtime_error(message.str());
    }
}
#define CHECK(call) check((call), #call, __FILE__, __LINE__)

// ---- Kernels --------------------------------------------------------------------------------------------

/* A matrix in device memory, row by row. */
struct Matrix {
    float *cells;
    int rows;
    int columns;
};

__global__ void product_direct(Matrix a, Matrix b, Matrix c)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < c.rows && column < c.columns) {
        float sum = 0.0f;
        for (int k = 0; k < a.columns; k++) {
            sum += a.cells[row * a.columns + k] * b.cells[k * b.columns + column];
        }
        c.cells[row * c.columns + column] = sum;
    }
}

/* The element, or zero beyond the edges. */
__device__ inline float element_or_zero(const Matrix &matrix, int row, int column)
{
    return row < matrix.rows && column < matrix.columns ? matrix.cells[row * matrix.columns + column] : 0.0f;
}

/* c = alpha * a * b + beta * c */
template <int TILE>
__global__ void __launch_bounds__(TILE * TILE) product_tiled(Matrix a, Matrix b, Matrix c, float alpha, float beta)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int column = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;

    float sum = 0.0f;
    for (int first = 0; first < a.columns; first += TILE) {
        tile_a[ty][tx] = element_or_zero(a, row, first + tx);
        tile_b[ty][tx] = element_or_zero(b, first + ty, column);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    if (row < c.rows && column < c.columns) {
        float *cell = &c.cells[row * c.columns + column];
        *cell = beta == 0.0f ? alpha * sum : alpha * sum + beta * *cell;
    }
}

__global__ void subtract(Matrix from, Matrix what)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < from.rows && column < from.columns) {
        from.cells[row * from.columns + column] -= what.cells[row * from.columns + column];
    }
}

// ---- Host -------------------------------------------------------------------------------------------------

constexpr int TILE = 16;

class DeviceMatrix {
public:
    DeviceMatrix(int rows, int columns) : matrix{nullptr, rows, columns}
    {
        CHECK(cudaMalloc(&matrix.cells, bytes()));
        CHECK(cudaMemset(matrix.cells, 0, bytes()));
    }
    ~DeviceMatrix() { cudaFree(matrix.cells); }
    DeviceMatrix(const DeviceMatrix &) = delete;
    DeviceMatrix &operator=(const DeviceMatrix &) = delete;

    void fill(const std::vector<float> &values)
    {
        CHECK(cudaMemcpy(matrix.cells, values.data(), bytes(), cudaMemcpyHostToDevice));
    }
    std::vector<float> fetch() const
    {
        std::vector<float> values(matrix.rows * matrix.columns);
        CHECK(cudaMemcpy(values.data(), matrix.cells, bytes(), cudaMemcpyDeviceToHost));
        return values;
    }
    operator Matrix() const { return matrix; }

private:
    size_t bytes() const { return sizeof(float) * matrix.rows * matrix.columns; }
    Matrix matrix;
};

static std::vector<float> random_values(int count, std::mt19937 &random)
{
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    std::vector<float> values(count);
    for (float &value : values) {
        value = uniform(random);
    }
    return values;
}

static dim3 blocks_for(const Matrix &matrix)
{
    return dim3((matrix.columns + TILE - 1) / TILE, (matrix.rows + TILE - 1) / TILE);
}

static int run(int rows, int inner, int columns)
{
    std::mt19937 random(42);
    DeviceMatrix a(rows, inner), b(inner, columns), direct(rows, columns), tiled(rows, columns);
    a.fill(random_values(rows * inner, random));
    b.fill(random_values(inner * columns, random));

    const dim3 block(TILE, TILE);
    const dim3 grid = blocks_for(direct);
    product_direct<<<grid, block>>>(a, b, direct);
    CHECK(cudaDeviceSynchronize());

    const auto start = std::chrono::steady_clock::now();
    product_tiled<TILE><<<grid, block>>>(a, b, tiled, 1.0f, 0.0f);
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::cout << rows << "x" << inner << " times " << inner << "x" << columns << ": " << took.count() << " ms\n";

    subtract<<<grid, block>>>(tiled, direct);
    CHECK(cudaGetLastError());
    float error = 0.0f;
    for (float difference : tiled.fetch()) {
        error = std::max(error, std::fabs(difference));
    }
    const bool passed = error < 1e-4f * inner;
    std::cout << "largest difference " << error << (passed ? ": PASSED" : ": FAILED") << std::endl;
    return passed ? 0 : 1;
}

int main(int argc, char **argv)
{
    try {
        const int rows = argc > 1 ? std::stoi(argv[1]) : 300;
        const int inner = argc > 2 ? std::stoi(argv[2]) : 200;
        const int columns = argc > 3 ? std::stoi(argv[3]) : 500;
        return run(rows, inner, columns);
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << std::endl;
        return 1;
    }
}
