//pass
//--local_size=64 --num_groups=1
// An asynchronous copy, the wait for it, and a named barrier for the others.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_copy(const int *in, int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(__cvta_generic_to_shared(&cells[lane])), "l"(&in[lane]));
        asm volatile("cp.async.commit_group;");
        asm volatile("cp.async.wait_group 0;");
        arrive(1, 64);
    } else {
        sync(1, 64);
        out[lane] = cells[lane ^ 1];
    }
}
