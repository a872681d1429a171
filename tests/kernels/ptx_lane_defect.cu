//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
// There are two warps with the same lanes.

__device__ unsigned lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void ptx_lane(int *out)
{
    out[lane()] = threadIdx.x; //~ race
}
