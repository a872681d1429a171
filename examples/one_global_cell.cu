//pass
//--local_size=64 --num_groups=16
// open sizes too
// Every block adds its share to one cell of global memory. Blocks are not ordered by any barrier,
// so the addition must be atomic.

__global__ void count_large(const int *in, int *total, int threshold)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > threshold) {
        atomicAdd(&count, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(total, count);
    }
}
