// Matrix transposition by a tile in shared memory, with a padding column.
// launch: --local_size=[32,8]
// defect: the barrier between writing and reading the tile is missing.
// example: nvcc
// arch: 80 100
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) {
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x]; //~ race shared
        }
    }
#ifndef DEFECT
    __syncthreads();
#endif
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < height && y + j < width) {
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j]; //~ race shared
        }
    }
}
