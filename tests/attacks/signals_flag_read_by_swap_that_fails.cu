//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A swap that fails is relaxed.

__global__ void k(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        atomicExch(flag, 1);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        int e = 7;
        __nv_atomic_compare_exchange_n(flag, &e, 7, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        if (e == 1)
            *out = *data; //~ race
    }
}
