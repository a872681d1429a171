// racy
// run: --block-dim=64 --grid-dim=2 --arg=in=iota:int*512 --arg=out=zeros:int*64
// The warp that empties the buffer says that it has before it does.

__global__ void named_barriers_in_turn(const int *in, int *out)
{
    __shared__ int cells[32];
    const unsigned lane = threadIdx.x & 31;
    int sum = 0;
    for (int part = 0; part < 8; part++) {
        if (threadIdx.x < 32) {
            if (part > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
            cells[lane] = in[(blockIdx.x * 8 + part) * 32 + lane]; //~ race
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            if (part < 7) asm volatile("bar.arrive 2, 64;" ::: "memory");
            sum += cells[31 - lane]; //~ race
        }
    }
    if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
