// program: global alignment of two sequences, tiles along anti-diagonals, a launch for each
// defect: align_tiles: race: no barrier between the anti-diagonals of a tile
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define TILE 16

static void cuda_check(cudaError_t e, int line)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
}
#define CUDA(x) cuda_check((x), __LINE__)

struct Scores {
    int match, mismatch, gap;
};

__constant__ Scores scores;

__device__ __host__ inline int max3(int a, int b, int c)
{
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

/* Tile (first_row - b, first_column + b) of a diagonal; the matrix has a border of one cell. */
__global__ void align_tiles(int *matrix, const char *s, const char *t, int columns, int first_row, int first_column)
{
    __shared__ int cells[TILE + 1][TILE + 1];
    __shared__ char row_letters[TILE];
    __shared__ char column_letters[TILE];
    const int tid = threadIdx.x;
    const int tile_row = (first_row - blockIdx.x) * TILE;
    const int tile_column = (first_column + blockIdx.x) * TILE;
    int *corner = matrix + tile_row * columns + tile_column;
    row_letters[tid] = s[tile_row + tid];
    column_letters[tid] = t[tile_column + tid];
    cells[tid + 1][0] = corner[(tid + 1) * columns];
    cells[0][tid + 1] = corner[tid + 1];
    if (tid == 0) cells[0][0] = corner[0];
    __syncthreads();
    for (int d = 0; d < 2 * TILE - 1; d++) {
        const int row = tid + 1;
        const int column = d - tid + 1;
        if (column >= 1 && column <= TILE) {
            const bool same = row_letters[row - 1] == column_letters[column - 1];
            cells[row][column] = max3(cells[row - 1][column - 1] + (same ? scores.match : scores.mismatch), //~ race
                                      cells[row - 1][column] + scores.gap, //~ race
                                      cells[row][column - 1] + scores.gap); //~ race
        }
#ifndef DEFECT
        __syncthreads();
#endif
    }
#ifdef DEFECT
    __syncthreads();
#endif
    for (int row = 1; row <= TILE; row++) {
        corner[row * columns + tid + 1] = cells[row][tid + 1];
    }
}

static std::string random_sequence(int length)
{
    std::string s(length, 'A');
    for (char &c : s) c = "ACGT"[rand() % 4];
    return s;
}

int main(int argc, char **argv)
{
    int length = 1024;
    Scores host_scores = {2, -1, -2};
    if (argc > 1) length = atoi(argv[1]);
    if (argc > 2) host_scores.gap = -atoi(argv[2]);
    if (length < TILE || length > 16384) {
        fprintf(stderr, "usage: %s [length [penalty]]\n", argv[0]);
        return 1;
    }
    length = (length + TILE - 1) / TILE * TILE;
    const int columns = length + 1, tiles = length / TILE;
    const std::string s = random_sequence(length), t = random_sequence(length);
    std::vector<int> host(columns * columns), result(columns * columns);
    for (int i = 0; i < columns; i++) {
        host[i] = host_scores.gap * i;
        host[i * columns] = host_scores.gap * i;
    }
    int *matrix;
    char *d_s, *d_t;
    CUDA(cudaMalloc(&matrix, host.size() * sizeof(int)));
    CUDA(cudaMalloc(&d_s, length));
    CUDA(cudaMalloc(&d_t, length));
    CUDA(cudaMemcpy(matrix, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_s, s.data(), length, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_t, t.data(), length, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpyToSymbol(scores, &host_scores, sizeof(Scores)));
    for (int d = 0; d < tiles; d++) {
        align_tiles<<<d + 1, TILE>>>(matrix, d_s, d_t, columns, d, 0);
    }
    for (int d = 1; d < tiles; d++) {
        align_tiles<<<tiles - d, TILE>>>(matrix, d_s, d_t, columns, tiles - 1, d);
    }
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(result.data(), matrix, result.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 1; i < columns; i++) {
        for (int j = 1; j < columns; j++) {
            host[i * columns + j] =
                max3(host[(i - 1) * columns + j - 1] + (s[i - 1] == t[j - 1] ? host_scores.match : host_scores.mismatch),
                     host[(i - 1) * columns + j] + host_scores.gap, host[i * columns + j - 1] + host_scores.gap);
        }
    }
    printf("score %d, expected %d\n", result.back(), host.back());
    cudaFree(matrix);
    cudaFree(d_s);
    cudaFree(d_t);
    return result == host ? 0 : 1;
}
