//pass
//--blockDim=32 --gridDim=1
// The lane is read by inline PTX, and so are the lanes before it.

__device__ unsigned lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void ptx_lane(int *out)
{
    unsigned before;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    out[lane()] = before;
}
