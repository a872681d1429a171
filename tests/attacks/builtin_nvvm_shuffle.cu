//unknown
//--block-dim=64 --grid-dim=4
// A shuffle without a mask, which the hardware has no more.

__global__ void nvvm_shuffle(int *out)
{
    out[blockIdx.x * 64 + threadIdx.x] = __nvvm_shfl_idx_i32(1, 0, 31); //~ unsupported
}
