// race-free
// run: --block-dim 64 --grid-dim 1
// With two buffers one barrier is enough: between two writes to one of them stands the barrier of the step for the
// other.

__global__ void two_buffers_in_turn(int *out)
{
    __shared__ int cells[2][64];
    unsigned t = threadIdx.x;
    int value = t;
    for (int step = 0; step < 4; step++) {
        cells[step % 2][t] = value;
        __syncthreads();
        value += cells[step % 2][63 - t];
    }
    out[t] = value;
}
