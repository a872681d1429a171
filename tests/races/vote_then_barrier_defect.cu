// racy
// run: --block-dim 32 --grid-dim 1
// A vote waits for all lanes, but it orders no memory.

__global__ void vote_then_barrier(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x;
    cells[lane] = lane; //~ race
    int any = __any_sync(0xffffffff, lane == 3);
    out[lane] = any ? cells[lane ^ 1] : 0; //~ race
}
