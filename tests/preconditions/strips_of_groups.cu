//conditional: blockDim.x == 32; blockDim.y == 4; pitch >= 0 && pitch >= gridDim.x * blockDim.x
//--local_size=[*,*] --num_groups=[*,*]
// contract: pitch >= 0 && blockDim.x == 32 && blockDim.y == 4 && pitch >= 32 * gridDim.x && pitch <= 4096 && gridDim.y <= 4096
// Groups of 32 by 4 threads lie side by side. In larger groups, one works on the places of the next.

__global__ void smooth(float *out, const float *in, int pitch)
{
    __shared__ float strip[4][34];
    const int row = blockIdx.y * 4 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    strip[threadIdx.y][threadIdx.x + 1] = in[row * pitch + column];
    if (threadIdx.x == 0) {
        strip[threadIdx.y][0] = strip[threadIdx.y][33] = 0.0f;
    }
#ifndef DEFECT
    __syncthreads();
#endif
    out[row * pitch + column] =
        strip[threadIdx.y][threadIdx.x] + strip[threadIdx.y][threadIdx.x + 2] - strip[threadIdx.y][threadIdx.x + 1];
}
