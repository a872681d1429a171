//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A plain load beside the atomics.

__global__ void nv_load_beside(unsigned *counter, unsigned *out)
{
    __nv_atomic_add(counter, 1u, __NV_ATOMIC_RELAXED); //~ race
    out[blockIdx.x * 64 + threadIdx.x] = *counter; //~ race
}
