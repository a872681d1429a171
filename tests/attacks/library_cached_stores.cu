//pass
//--block-dim=64 --grid-dim=1
// Behind a barrier a store is seen by the neighbour, whatever cache it names.

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    __stcg(cells + t, value);
    __stcs(cells + 64 + t, value);
    __stwb(cells + 128 + t, value);
    __stwt(cells + 192 + t, value);
    __syncthreads();
    sum += cells[63 - t];
    sum += cells[127 - t];
    sum += cells[191 - t];
    sum += cells[255 - t];
    out[t] = sum;
}
