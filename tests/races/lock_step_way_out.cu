// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// What stands on the way out of a loop is behind the loop: lanes that leave early wait there for those that stay.

__global__ void lock_step_way_out(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = 0;; i++) {
        if (i > t) {
            out[t] = cells[31 - t];
            break;
        }
        cells[t] += i;
    }
}
