//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// A fence of inline PTX waits for nobody.

__global__ void ptx_fence(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; //~ race
    asm volatile("fence.sc.gpu;" ::: "memory");
    out[blockIdx.x * 64 + 63 - threadIdx.x] += 1; //~ race
}
