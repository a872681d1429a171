//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A fence tells nobody anything.

__global__ void nv_fence(int *data, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    data[i] = i; //~ race
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    out[i] = data[i ^ 64]; //~ race
}
