//xfail:NOT_ALL_VERIFIED
//--blockDim=1 --gridDim=64
// One thread in each block: the counter is one for all blocks.

__global__ void half_of_all(unsigned *count, unsigned *list)
{
    unsigned at = atomicAdd(count, 0x80000000u);
    list[at >> 1] = blockIdx.x * blockDim.x + threadIdx.x; //~ race
}
