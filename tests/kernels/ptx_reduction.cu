//pass
//--blockDim=64 --gridDim=16
// An atomic addition of inline PTX that returns nothing.

__global__ void ptx_reduction(unsigned *count, unsigned *values)
{
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(count), "r"(values[index]) : "memory");
    values[index] = 0;
}
