//pass
//--local_size=64 --num_groups=16
// Variables of the program in device and managed memory: one place each for the whole launch, so
// what every block adds to them it adds atomically.

__device__ unsigned int seen;
__device__ __managed__ int largest = -1;
__device__ int last_of_block[16];

__global__ void survey(const int *in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n) {
        atomicAdd(&seen, 1u);
        atomicMax(&largest, in[gid]);
    }
    if (threadIdx.x == blockDim.x - 1) {
        last_of_block[blockIdx.x] = gid;
    }
}
