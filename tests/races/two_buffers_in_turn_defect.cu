// racy
// run: --block-dim 64 --grid-dim 1
// Each buffer is used twice before it is the other one's turn, with one barrier in between.

__global__ void two_buffers_in_turn(int *out)
{
    __shared__ int cells[2][64];
    unsigned t = threadIdx.x;
    int value = t;
    for (int step = 0; step < 4; step++) {
        cells[step / 2 % 2][t] = value; //~ race
        __syncthreads();
        value += cells[step / 2 % 2][63 - t]; //~ race
    }
    out[t] = value;
}
