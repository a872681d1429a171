//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A load through the read-only cache is an access, and orders nothing.

__global__ void shift(int *cells, int *out)
{
    int i = threadIdx.x;
    cells[i] = i; //~ race
    out[i] = __ldg(&cells[i ^ 1]); //~ race
}
