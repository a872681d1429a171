//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// Three warps come to a barrier for two.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(96) named_other_count(int *out)
{
    __shared__ int cells[96];
    cells[threadIdx.x] = threadIdx.x;
    sync(1, 64);
    out[threadIdx.x] = cells[95 - threadIdx.x];
}
