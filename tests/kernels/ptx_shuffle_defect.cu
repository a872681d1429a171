//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Half of each warp asks its right neighbours for their values: lane 15 asks lane 16, which is not there.

__global__ void ptx_shuffle(int *out)
{
    if (threadIdx.x % 32 < 16) {
        int from;
        asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffff;" : "=r"(from) : "r"((int)threadIdx.x)); //~ inactive-source
        out[blockIdx.x * 64 + threadIdx.x] = from;
    }
}
