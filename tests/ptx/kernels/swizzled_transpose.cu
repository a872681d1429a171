// Matrix transposition by a tile without padding: the column is swizzled by exclusive or.
// launch: --local_size=[32,8]
// defect: the lowest bit of the column is lost, so that two threads write one cell.
// arch: 80 100
// example: nvrtc
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) swizzled_transpose(const float *in, float *out)
{
    __shared__ float tile[32 * 32];
    unsigned width = gridDim.x * 32, height = gridDim.y * 32;
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
    for (unsigned j = 0; j < 32; j += 8) {
        unsigned row = ty + j;
#ifdef DEFECT
        tile[row * 32 + ((tx & 30) ^ row)] = in[(y + j) * width + x]; //~ race shared
#else
        tile[row * 32 + (tx ^ row)] = in[(y + j) * width + x];
#endif
    }
    __syncthreads();
    x = blockIdx.y * 32 + tx;
    y = blockIdx.x * 32 + ty;
    for (unsigned j = 0; j < 32; j += 8) {
        out[(y + j) * height + x] = tile[tx * 32 + (tx ^ (ty + j))];
    }
}
