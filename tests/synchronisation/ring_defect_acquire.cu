//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
// The reads are not ordered behind the wait.

__global__ void ring(const int *in, int *data, unsigned *put, unsigned *taken, int *out, unsigned n)
{
    if (blockIdx.x == 0) {
        for (unsigned piece = 0; piece < n; piece++) {
            if (threadIdx.x == 0) {
                while (*(volatile unsigned *)taken + 2 <= piece) {
                }
                __threadfence();
            }
            __syncthreads();
            data[piece % 2 * 64 + threadIdx.x] = 2 * in[piece * 64 + threadIdx.x]; //~ race
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                *(volatile unsigned *)put = piece + 1;
            }
        }
    } else {
        for (unsigned piece = 0; piece < n; piece++) {
            if (threadIdx.x == 0) {
                while (*(volatile unsigned *)put <= piece) {
                }
            }
            __syncthreads();
            out[piece * 64 + threadIdx.x] = data[piece % 2 * 64 + 63 - threadIdx.x]; //~ race
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                *(volatile unsigned *)taken = piece + 1;
            }
        }
    }
}
