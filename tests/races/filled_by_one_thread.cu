// race-free
// run: --block-dim 64 --grid-dim 1
// One thread fills a buffer, all use it behind the barrier.

__global__ void filled_by_one_thread(int *out)
{
    __shared__ int cells[64];
    if (threadIdx.x == 0) {
        memset(cells, 0xff, sizeof(cells));
    }
    __syncthreads();
    cells[threadIdx.x] += threadIdx.x;
    out[threadIdx.x] = cells[threadIdx.x];
}
