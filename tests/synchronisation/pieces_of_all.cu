//pass
//--blockDim=64 --gridDim=2
// One block makes pieces, the other one takes them.

__global__ void pieces_of_all(const int *in, int *data, int *made, int *out, int n)
{
    if (blockIdx.x == 0) {
        for (int piece = 0; piece < n; piece++) {
            data[piece * 64 + threadIdx.x] = 2 * in[piece * 64 + threadIdx.x];
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                atomicExch(made, piece + 1);
        }
    } else {
        for (int piece = 0; piece < n; piece++) {
            if (threadIdx.x == 0)
                while (atomicAdd(made, 0) < piece + 1) {
                }
            __syncthreads();
            __threadfence();
            out[piece * 64 + threadIdx.x] = data[piece * 64 + 63 - threadIdx.x];
        }
    }
}
