// program: Conway's game of life on a torus, a tile with its ring of neighbours in shared memory
// defect: generation: divergence: threads outside of the board return early; 500 x 333 cells
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 16;

static void check(hipError_t e)
{
    if (e != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorString(e));
        std::abort();
    }
}

__global__ void generation(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[TILE + 2][TILE + 2];
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
#ifdef DEFECT
    if (x >= width || y >= height) return;
#endif
    const int tid = threadIdx.y * TILE + threadIdx.x;
    for (int i = tid; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        const int ty = i / (TILE + 2), tx = i % (TILE + 2);
        const int gx = (blockIdx.x * TILE + tx - 1 + width) % width;
        const int gy = (blockIdx.y * TILE + ty - 1 + height) % height;
        tile[ty][tx] = in[gy * width + gx];
    }
    __syncthreads(); //~ divergence
#ifndef DEFECT
    if (x >= width || y >= height) return;
#endif
    int neighbours = 0;
    for (int dy = 0; dy < 3; dy++) {
        for (int dx = 0; dx < 3; dx++) {
            if (dx != 1 || dy != 1) neighbours += tile[threadIdx.y + dy][threadIdx.x + dx];
        }
    }
    const bool alive = tile[threadIdx.y + 1][threadIdx.x + 1];
    out[y * width + x] = neighbours == 3 || (alive && neighbours == 2);
}

__global__ void population(const unsigned char *board, unsigned int *count, int cells)
{
    __shared__ unsigned int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += blockDim.x * gridDim.x) {
        mine += board[i];
    }
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, sum);
}

static void reference(std::vector<unsigned char> &board, int width, int height)
{
    std::vector<unsigned char> next(board.size());
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx || dy) n += board[(y + dy + height) % height * width + (x + dx + width) % width];
                }
            }
            next[y * width + x] = n == 3 || (board[y * width + x] && n == 2);
        }
    }
    board.swap(next);
}

int main(int argc, char **argv)
{
    const int width = argc > 1 ? atoi(argv[1]) : 500;
    const int height = argc > 2 ? atoi(argv[2]) : 333;
    const int generations = argc > 3 ? atoi(argv[3]) : 50;
    if (width < 3 || height < 3 || width > 16384 || height > 16384) return 1;
    std::vector<unsigned char> board(width * height), result(width * height);
    for (unsigned char &cell : board) cell = rand() % 4 == 0;
    unsigned char *d_board[2];
    unsigned int *d_count, count;
    for (int i = 0; i < 2; i++) check(hipMalloc((void **)&d_board[i], board.size()));
    check(hipMalloc((void **)&d_count, sizeof(unsigned int)));
    check(hipMemset(d_count, 0, sizeof(unsigned int)));
    check(hipMemcpy(d_board[0], board.data(), board.size(), hipMemcpyHostToDevice));
    const dim3 block(TILE, TILE);
    const dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
    for (int g = 0; g < generations; g++) {
        generation<<<grid, block>>>(d_board[g % 2], d_board[(g + 1) % 2], width, height);
        check(hipGetLastError());
        reference(board, width, height);
    }
    population<<<40, 256>>>(d_board[generations % 2], d_count, width * height);
    check(hipMemcpy(&count, d_count, sizeof(count), hipMemcpyDeviceToHost));
    check(hipMemcpy(result.data(), d_board[generations % 2], result.size(), hipMemcpyDeviceToHost));
    printf("%u cells alive, %s\n", count, result == board ? "right" : "wrong");
    for (int i = 0; i < 2; i++) check(hipFree(d_board[i]));
    check(hipFree(d_count));
    return result == board ? 0 : 1;
}
