//pass
//--block-dim=64 --grid-dim=1
// Clang's builtins for barriers in shared memory.

__global__ void nvvm_mbarrier(int *out)
{
    __shared__ long met;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) {
        __nvvm_mbarrier_init(&met, 64);
    }
    __syncthreads();
    cells[t] = t;
    long token = __nvvm_mbarrier_arrive(&met);
    while (!__nvvm_mbarrier_test_wait(&met, token)) {
    }
    out[t] = cells[63 - t];
}
