//pass
//--blockDim=64 --gridDim=2
// 16 bits have 128 numbers 512 apart.

__global__ void of_two_bytes(unsigned short *count, unsigned *list)
{
    unsigned short at = __atomic_fetch_add(count, 512, __ATOMIC_RELAXED);
    list[at >> 9] = blockIdx.x * blockDim.x + threadIdx.x;
}
