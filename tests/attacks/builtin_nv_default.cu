//pass
//--block-dim=64 --grid-dim=4
// Without a scope it is the system.

__global__ void nv_default(unsigned *counter, unsigned *out)
{
    unsigned expected = 0;
    __nv_atomic_add(counter, 1u, __NV_ATOMIC_RELAXED);
    __nv_atomic_compare_exchange_n(counter + 1, &expected, 1u, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
    out[blockIdx.x * 64 + threadIdx.x] = __nv_atomic_load_n(counter, __NV_ATOMIC_RELAXED) + expected;
}
