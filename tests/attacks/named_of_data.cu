//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Who comes depends on data.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_of_data(const int *in, int *out)
{
    if (in[threadIdx.x / 32] > 0) {
        sync(1, 64);
    }
    out[threadIdx.x] = 1;
}
