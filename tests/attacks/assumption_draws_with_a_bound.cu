//pass
//--blockDim=64 --gridDim=2
// Up to the largest number it counts as a sum does.

__global__ void with_a_bound(unsigned *count, unsigned *list)
{
    unsigned at = atomicInc(count, 0xffffffffu);
    list[at] = threadIdx.x;
}
