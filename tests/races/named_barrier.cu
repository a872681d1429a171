// race-free
// run: --block-dim=64 --grid-dim=2 --arg=in=iota:int*64 --arg=out=zeros:int*64
// One warp writes and does not wait, the other one waits for it and reads: barrier 1 is for both.

__global__ void named_barrier(const int *in, int *out)
{
    __shared__ int cells[32];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        cells[lane] = in[blockIdx.x * 32 + lane];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[blockIdx.x * 32 + lane] = cells[31 - lane];
    }
}
