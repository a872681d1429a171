//pass
//--block-dim=64 --grid-dim=4
// The scope is the device.

__global__ void nv_device(int *counter, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
