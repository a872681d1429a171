//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1 --warp-sync=32
// Lanes that execute each instruction together take the two paths of a branch one after the other, nobody knows in which order. That
// an access on one of the paths is executed by neither of two lanes does not bring them together: no square is 2 modulo 4.
__global__ void warp_in_step_on_two_paths(int *out, unsigned n)
{
    __shared__ int cells[32];
    unsigned t = threadIdx.x;
    if (t == 0) {
        cells[1] = 5; //~ race
    } else {
        if (n * n % 4 == 2) out[t] = 3;
        if (t == 1) cells[1] = 6; //~ race
    }
}
