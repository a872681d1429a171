//pass
//--block-dim=128 --grid-dim=2
// A buffer of so many bytes as the storage has, aligned as it is.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    alignas(Reduce::TempStorage) __shared__ unsigned char bytes[sizeof(Reduce::TempStorage)];
    int sum = Reduce(*reinterpret_cast<Reduce::TempStorage *>(bytes)).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
