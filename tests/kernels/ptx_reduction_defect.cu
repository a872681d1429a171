//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// An atomic addition whose scope is the block, of what all blocks share.

__global__ void ptx_reduction(unsigned *count, const unsigned *in)
{
    asm volatile("red.relaxed.cta.global.add.u32 [%0], %1;" ::"l"(count), "r"(in[threadIdx.x]) : "memory"); //~ race
}
