// program: cheapest path through a grid of costs, several rows a launch with ghost cells
// defect: advance_rows: race: a row's results are copied back before all neighbours were read
#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BLOCK 256
#define HALO 1

#define ERR(x) do { cudaError_t r_ = (x); if (r_) { printf("%s\n", cudaGetErrorString(r_)); exit(1); } } while (0)

static int rows, columns, pyramid_height;

__global__ void advance_rows(int iterations, const int *wall, const int *source, int *result, int columns, int start,
                             int border)
{
    __shared__ int previous[BLOCK];
    __shared__ int next[BLOCK];
    const int tx = threadIdx.x;
    const int useful = BLOCK - iterations * HALO * 2;
    const int first = useful * blockIdx.x - border;
    const int x = first + tx;
    const int last = first + BLOCK - 1;
    const int valid_min = first < 0 ? -first : 0;
    const int valid_max = last > columns - 1 ? BLOCK - 1 - (last - columns + 1) : BLOCK - 1;
    const int west = max(tx - 1, valid_min);
    const int east = min(tx + 1, valid_max);
    const bool is_valid = tx >= valid_min && tx <= valid_max;
    if (x >= 0 && x < columns) {
        previous[tx] = source[x];
    }
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < iterations; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= BLOCK - i - 2 && is_valid) {
            computed = true;
            const int shortest = min(previous[west], min(previous[tx], previous[east])); //~ race
            next[tx] = shortest + wall[columns * (start + i) + x];
        }
#ifndef DEFECT
        __syncthreads();
#endif
        if (i == iterations - 1) break;
        if (computed) previous[tx] = next[tx]; //~ race
        __syncthreads();
    }
    if (computed) {
        result[x] = next[tx];
    }
}

static int *find_path(const int *d_wall, int *d_result[2], int blocks, int border)
{
    int source = 1, target = 0;
    for (int t = 0; t < rows - 1; t += pyramid_height) {
        std::swap(source, target);
        advance_rows<<<blocks, BLOCK>>>(std::min(pyramid_height, rows - t - 1), d_wall, d_result[source],
                                        d_result[target], columns, t, border);
    }
    return d_result[target];
}

static std::vector<int> reference(const std::vector<int> &costs)
{
    std::vector<int> current(costs.begin(), costs.begin() + columns), next(columns);
    for (int r = 1; r < rows; r++) {
        for (int x = 0; x < columns; x++) {
            int best = current[x];
            if (x > 0) best = std::min(best, current[x - 1]);
            if (x < columns - 1) best = std::min(best, current[x + 1]);
            next[x] = best + costs[(size_t)r * columns + x];
        }
        std::swap(current, next);
    }
    return current;
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        columns = atoi(argv[1]);
        rows = atoi(argv[2]);
        pyramid_height = atoi(argv[3]);
    } else {
        columns = 10000;
        rows = 100;
        pyramid_height = 20;
    }
    if (columns < 1 || rows < 2 || pyramid_height < 1 || pyramid_height > BLOCK / 4 || columns > 1000000 ||
        rows > 1000) {
        printf("Usage: pathfinder columns rows pyramid_height\n");
        return 1;
    }
    const int border = pyramid_height * HALO;
    const int useful = BLOCK - border * 2;
    const int blocks = columns / useful + (columns % useful == 0 ? 0 : 1);
    std::vector<int> costs((size_t)rows * columns), result(columns);
    for (int &c : costs) c = rand() % 10;
    int *d_wall, *d_result[2];
    ERR(cudaMalloc((void **)&d_result[0], sizeof(int) * columns));
    ERR(cudaMalloc((void **)&d_result[1], sizeof(int) * columns));
    ERR(cudaMalloc((void **)&d_wall, sizeof(int) * columns * (rows - 1)));
    ERR(cudaMemcpy(d_result[0], costs.data(), sizeof(int) * columns, cudaMemcpyHostToDevice));
    ERR(cudaMemcpy(d_wall, costs.data() + columns, sizeof(int) * columns * (rows - 1), cudaMemcpyHostToDevice));
    const int *final_row = find_path(d_wall, d_result, blocks, border);
    ERR(cudaGetLastError());
    ERR(cudaMemcpy(result.data(), final_row, sizeof(int) * columns, cudaMemcpyDeviceToHost));
    const bool right = result == reference(costs);
    printf("%s, cheapest %d\n", right ? "right" : "wrong", *std::min_element(result.begin(), result.end()));
    ERR(cudaFree(d_wall));
    ERR(cudaFree(d_result[0]));
    ERR(cudaFree(d_result[1]));
    return right ? 0 : 1;
}
