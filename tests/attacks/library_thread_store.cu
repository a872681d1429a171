//pass
//--block-dim=64 --grid-dim=1
// Behind a barrier a store is seen by the neighbour, whatever cache it names.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64], e[64], f[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cub::ThreadStore<cub::STORE_DEFAULT>(a + t, value);
    cub::ThreadStore<cub::STORE_WB>(b + t, value);
    cub::ThreadStore<cub::STORE_CG>(c + t, value);
    cub::ThreadStore<cub::STORE_CS>(d + t, value);
    cub::ThreadStore<cub::STORE_WT>(e + t, value);
    cub::ThreadStore<cub::STORE_VOLATILE>(f + t, value);
    __syncthreads();
    sum += a[63 - t];
    sum += b[63 - t];
    sum += c[63 - t];
    sum += d[63 - t];
    sum += e[63 - t];
    sum += f[63 - t];
    out[t] = sum;
}
