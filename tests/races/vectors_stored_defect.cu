// racy
// run: --block-dim 32 --grid-dim 1
// The part is one of the next thread's vector.

__global__ void vectors_stored(int4 *cells)
{
    unsigned t = threadIdx.x;
    cells[t] = make_int4(t, t, t, t); //~ race
    ((int *)cells)[4 * t + 4] = 77; //~ race
}
