//xfail:NOT_ALL_VERIFIED
//--blockDim=16 --gridDim=2
// 16 sixteenths for 32 threads.

__global__ void of_eight_bytes(unsigned long long *count, unsigned *list)
{
    unsigned long long at = atomicAdd(count, 1ull << 60);
    list[at >> 60] = blockIdx.x * blockDim.x + threadIdx.x; //~ race
}
