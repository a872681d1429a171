//pass
//--blockDim=64 --gridDim=16
// A barrier in inline PTX.

__global__ void ptx_bar_sync(int *out)
{
    __shared__ int a[64];
    a[threadIdx.x] = out[blockIdx.x * 64 + threadIdx.x];
    asm volatile("bar.sync 0;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] = a[63 - threadIdx.x];
}
