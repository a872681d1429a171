//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// A fence in inline PTX where a barrier is needed.

__global__ void ptx_bar_sync(int *out)
{
    __shared__ int a[64];
    a[threadIdx.x] = out[blockIdx.x * 64 + threadIdx.x]; //~ race
    asm volatile("membar.cta;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] = a[63 - threadIdx.x]; //~ race
}
