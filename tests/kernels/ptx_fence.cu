//pass
//--blockDim=64 --gridDim=16
// A fence of inline PTX between two accesses of one thread.

__global__ void ptx_fence(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    asm volatile("membar.gl;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] += 1;
}
