//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=3
// 16 bits have 128 numbers 512 apart, for 192 threads.

__global__ void of_two_bytes(unsigned short *count, unsigned *list)
{
    unsigned short at = __atomic_fetch_add(count, 512, __ATOMIC_RELAXED);
    list[at >> 9] = blockIdx.x * blockDim.x + threadIdx.x; //~ race
}
