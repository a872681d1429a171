//pass
//--blockDim=2 --gridDim=1
// Two numbers are drawn, and there are two.

__global__ void half_of_all(unsigned *count, unsigned *list)
{
    unsigned at = atomicAdd(count, 0x80000000u);
    list[at >> 1] = blockIdx.x * blockDim.x + threadIdx.x;
}
