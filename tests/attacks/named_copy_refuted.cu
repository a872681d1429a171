//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The wait for the copy comes behind the barrier.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_copy_refuted(const int *in, int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(__cvta_generic_to_shared(&cells[lane])), "l"(&in[lane])); //~ race
        asm volatile("cp.async.commit_group;");
        arrive(1, 64);
        asm volatile("cp.async.wait_group 0;");
    } else {
        sync(1, 64);
        out[lane] = cells[lane ^ 1]; //~ race
    }
}
