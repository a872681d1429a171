//pass
//--blockDim=64 --gridDim=4
// No thread changes the flag, so the host has to.

__global__ void of_host(int *flag, int *data)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
    data[blockIdx.x * 64 + threadIdx.x] = 1;
}
