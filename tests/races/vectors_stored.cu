// race-free
// run: --block-dim 32 --grid-dim 1
// A vector of four for each thread, and one of its parts again.

__global__ void vectors_stored(int4 *cells)
{
    unsigned t = threadIdx.x;
    cells[t] = make_int4(t, t, t, t);
    ((int *)cells)[4 * t + 3] = 0;
}
