// racy
// run: --block-dim=64 --grid-dim=2 --arg=in=iota:int*64 --arg=out=zeros:int*64
// The warp that does not wait writes behind its arrival: nothing orders that before the other one's reads, or behind them.

__global__ void named_barrier(const int *in, int *out)
{
    __shared__ int cells[32];
    const unsigned lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        cells[lane] = in[blockIdx.x * 32 + lane]; //~ race
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[blockIdx.x * 32 + lane] = cells[31 - lane]; //~ race
    }
}
