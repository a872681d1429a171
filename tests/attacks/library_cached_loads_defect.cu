//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A load that names a cache orders nothing, one past all caches neither.

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cells[t] = value; //~ race ldca
    cells[64 + t] = value; //~ race ldcg
    cells[128 + t] = value; //~ race ldcs
    cells[192 + t] = value; //~ race ldcv
    sum += __ldca(cells + 63 - t); //~ race ldca
    sum += __ldcg(cells + 127 - t); //~ race ldcg
    sum += __ldcs(cells + 191 - t); //~ race ldcs
    sum += __ldcv(cells + 255 - t); //~ race ldcv
    out[t] = sum;
}
