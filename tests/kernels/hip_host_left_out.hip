//pass
//--block-dim=64
// The host's library is not here.
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

static ncclComm_t all, *others = nullptr;

__global__ void add(float4 *to, const float4 *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = to[i] + from[i];
}

int main()
{
    ncclUniqueId id;
    ncclCommInitRank(&all, 2, id, 0);
    hipLaunchKernelGGL(add, dim3(4), dim3(64), 0, 0, nullptr, nullptr);
    return ncclCommDestroy(all);
}
