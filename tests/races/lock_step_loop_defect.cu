// racy
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// In an iteration the odd lanes write on one path of a branch what the even ones read on the other one.

__global__ void lock_step_loop(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = 0; i <= t; i++) {
        if (t % 2 == 1) {
            cells[t] += i; //~ race
        } else {
            out[t] = cells[t + 1]; //~ race
        }
    }
}
