//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The exchange reads what was set, and not what was counted.

__global__ void k(int *partial, unsigned *count, int *out)
{
    __shared__ bool last;
    unsigned t = threadIdx.x;
    if (t == 0) {
        partial[blockIdx.x] = 1; //~ race
        __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        if (t == 1)
            *(volatile unsigned *)count = 100;
        if (t == 2) {
            unsigned old = atomicExch(count, 7);
            __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
            if (old == 100)
                out[blockIdx.x] = partial[(blockIdx.x + 1) % gridDim.x]; //~ race
        }
    }
}
