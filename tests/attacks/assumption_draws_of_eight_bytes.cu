//pass
//--blockDim=16 --gridDim=1
// 16 sixteenths.

__global__ void of_eight_bytes(unsigned long long *count, unsigned *list)
{
    unsigned long long at = atomicAdd(count, 1ull << 60);
    list[at >> 60] = blockIdx.x * blockDim.x + threadIdx.x;
}
