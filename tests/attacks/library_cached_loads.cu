//pass
//--block-dim=64 --grid-dim=1
// Behind a barrier a load sees what the neighbour has written, whatever cache it names.

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cells[t] = value;
    cells[64 + t] = value;
    cells[128 + t] = value;
    cells[192 + t] = value;
    cells[256 + t] = value;
    __syncthreads();
    sum += __ldca(cells + 63 - t);
    sum += __ldcg(cells + 127 - t);
    sum += __ldcs(cells + 191 - t);
    sum += __ldcv(cells + 255 - t);
    sum += __ldlu(cells + 319 - t);
    out[t] = sum;
}
