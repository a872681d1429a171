// program: matrix transposition by tiles, out of place for any shape and in place for squares
// defect: transpose: race: main passes the same buffer as input and output for the square matrix
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                               \
    do {                                                                       \
        cudaError_t status = (x);                                              \
        if (status != cudaSuccess) {                                           \
            printf("%s: %s\n", #x, cudaGetErrorString(status));                \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(double *out, const double *in, int width, int height)
{
    __shared__ double tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < width && y + j < height) {
            tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * width + x]; //~ race
        }
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < height && y + j < width) {
            out[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j]; //~ race
        }
    }
}

/* Blocks above the diagonal exchange two tiles; those on it transpose one. */
__global__ void transpose_in_place(double *a, int n)
{
    __shared__ double upper[TILE][TILE + 1];
    __shared__ double lower[TILE][TILE + 1];
    if (blockIdx.y > blockIdx.x) {
        return;
    }
    const int ux = blockIdx.x * TILE + threadIdx.x, uy = blockIdx.y * TILE + threadIdx.y;
    const int lx = blockIdx.y * TILE + threadIdx.x, ly = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (ux < n && uy + j < n) upper[threadIdx.y + j][threadIdx.x] = a[(size_t)(uy + j) * n + ux];
        if (lx < n && ly + j < n) lower[threadIdx.y + j][threadIdx.x] = a[(size_t)(ly + j) * n + lx];
    }
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS) {
        if (ux < n && uy + j < n) a[(size_t)(uy + j) * n + ux] = lower[threadIdx.x][threadIdx.y + j];
        if (blockIdx.x != blockIdx.y && lx < n && ly + j < n) {
            a[(size_t)(ly + j) * n + lx] = upper[threadIdx.x][threadIdx.y + j];
        }
    }
}

struct Matrix {
    int rows, columns;
    double *data;
    Matrix(int r, int c) : rows(r), columns(c) { CHECK(cudaMalloc(&data, bytes())); }
    ~Matrix() { cudaFree(data); }
    size_t bytes() const { return sizeof(double) * rows * columns; }
};

static void transpose(Matrix &to, const Matrix &from)
{
    const dim3 block(TILE, ROWS);
    const dim3 grid((from.columns + TILE - 1) / TILE, (from.rows + TILE - 1) / TILE);
    transpose<<<grid, block>>>(to.data, from.data, from.columns, from.rows);
    CHECK(cudaGetLastError());
}

static void transpose_square(Matrix &a)
{
    const dim3 block(TILE, ROWS);
    const dim3 grid((a.columns + TILE - 1) / TILE, (a.columns + TILE - 1) / TILE);
#ifdef DEFECT
    transpose<<<grid, block>>>(a.data, a.data, a.columns, a.rows);
#else
    transpose_in_place<<<grid, block>>>(a.data, a.columns);
#endif
    CHECK(cudaGetLastError());
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 1000;
    const int columns = argc > 2 ? atoi(argv[2]) : 777;
    if (rows < 1 || columns < 1 || rows > 16384 || columns > 16384) {
        printf("usage: %s [rows [columns]]\n", argv[0]);
        return 1;
    }
    Matrix a(rows, columns), b(columns, rows), square(rows, rows);
    std::vector<double> host(rows * columns), back(rows * columns), sq(rows * rows), sq_back(rows * rows);
    for (size_t i = 0; i < host.size(); i++) host[i] = double(i);
    for (size_t i = 0; i < sq.size(); i++) sq[i] = double(i);
    CHECK(cudaMemcpy(a.data, host.data(), a.bytes(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(square.data, sq.data(), square.bytes(), cudaMemcpyHostToDevice));
    transpose(b, a);
    transpose_square(square);
    CHECK(cudaMemcpy(back.data(), b.data, b.bytes(), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sq_back.data(), square.data, square.bytes(), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) wrong += back[c * rows + r] != host[r * columns + c];
        for (int c = 0; c < rows; c++) wrong += sq_back[c * rows + r] != sq[r * rows + c];
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
