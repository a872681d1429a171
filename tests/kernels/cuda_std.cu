//pass
//--blockDim=64 --gridDim=16
// What device code has of the standard library, under the names of libcu++.
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <nv/target>

__global__ void cuda_std(int *out, const int *in, int n)
{
    cuda::std::span<const int> all(in, n);
    cuda::std::tuple<int, int> at(blockIdx.x * 64, threadIdx.x);
    cuda::std::array<int, 2> two = {cuda::std::get<0>(at), cuda::std::get<1>(at)};
    NV_IF_ELSE_TARGET(NV_IS_DEVICE, (out[two[0] + two[1]] = all[two[1]];), (out[0] = two[1];))
}
