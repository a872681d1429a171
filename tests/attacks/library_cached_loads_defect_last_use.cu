//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A load through the read-only cache orders nothing, and a last use is one of the thread.

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cells[t] = value; //~ race ldlu
    cells[64 + t] = value; //~ race ldg
    sum += __ldlu(cells + 63 - t); //~ race ldlu
    sum += __ldg(cells + 127 - t); //~ race ldg
    out[t] = sum;
}
