//pass
//--block-dim=64 --grid-dim=2
// Two collectives that share storage, with a barrier between them, as CUB's manual has it.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 2, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ union {
        Load::TempStorage load;
        Scan::TempStorage scan;
    } storage;
    int items[2];
    Load(storage.load).Load(in + 128 * blockIdx.x, items);
    __syncthreads();
    Scan(storage.scan).InclusiveSum(items, items);
    out[128 * blockIdx.x + 2 * threadIdx.x] = items[0];
    out[128 * blockIdx.x + 2 * threadIdx.x + 1] = items[1];
}
