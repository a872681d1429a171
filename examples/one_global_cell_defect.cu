//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As one_global_cell.cu, but the addition is not atomic: the first threads of different blocks
// race. A barrier would not help, it orders only one block.

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
        *total += count; //~ race
    }
}
