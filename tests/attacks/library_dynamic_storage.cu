//pass
//--block-dim=128 --grid-dim=2
// Temporary storage in memory that the launch gives, and behind it, as far as its size says, an array.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> Scan;
    extern __shared__ int bytes[];
    Scan::TempStorage &storage = *reinterpret_cast<Scan::TempStorage *>(bytes);
    int *cells = bytes + (sizeof(Scan::TempStorage) + 3) / 4;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    int sum;
    cells[t] = in[i];
    Scan(storage).ExclusiveSum(in[i], sum);
    __syncthreads();
    out[i] = cells[127 - t] + sum;
}
