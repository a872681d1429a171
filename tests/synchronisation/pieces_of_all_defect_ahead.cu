//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
// The number tells of the next piece, too.

__global__ void pieces_of_all(const int *in, int *data, int *made, int *out, int n)
{
    if (blockIdx.x == 0) {
        for (int piece = 0; piece < n; piece++) {
            data[piece * 64 + threadIdx.x] = 2 * in[piece * 64 + threadIdx.x]; //~ race
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                atomicExch(made, piece + 2);
        }
    } else {
        for (int piece = 0; piece < n; piece++) {
            if (threadIdx.x == 0)
                while (atomicAdd(made, 0) < piece + 1) {
                }
            __syncthreads();
            __threadfence();
            out[piece * 64 + threadIdx.x] = data[piece * 64 + 63 - threadIdx.x]; //~ race
        }
    }
}
