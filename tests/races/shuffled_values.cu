// race-free
// run: --block-dim 32 --grid-dim 1
// Values go from lane to lane in registers; memory is each lane's own.

__global__ void shuffled_values(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane;
    int next = __shfl_sync(0xffffffff, cells[lane], (lane + 1) % 32);
    out[lane] = next;
}
