//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A store that names a cache orders nothing, one through all caches neither.

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    __stcg(cells + t, value); //~ race stcg
    __stcs(cells + 64 + t, value); //~ race stcs
    __stwb(cells + 128 + t, value); //~ race stwb
    __stwt(cells + 192 + t, value); //~ race stwt
    sum += cells[63 - t]; //~ race stcg
    sum += cells[127 - t]; //~ race stcs
    sum += cells[191 - t]; //~ race stwb
    sum += cells[255 - t]; //~ race stwt
    out[t] = sum;
}
