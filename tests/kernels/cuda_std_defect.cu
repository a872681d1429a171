//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The tuple has the number in the block only, which threads of other blocks have, too.
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <nv/target>

__global__ void cuda_std(int *out, const int *in, int n)
{
    cuda::std::span<const int> all(in, n);
    cuda::std::tuple<int, int> at(blockIdx.x * 64, threadIdx.x);
    cuda::std::array<int, 2> two = {cuda::std::get<0>(at), cuda::std::get<1>(at)};
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (out[two[1]] = all[two[1]] + blockIdx.x;), (out[0] = two[1];)) //~ race
}
