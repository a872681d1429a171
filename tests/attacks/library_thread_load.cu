//pass
//--block-dim=64 --grid-dim=1
// Behind a barrier a load sees what the neighbour has written, whatever cache it names.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64], e[64], f[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value;
    b[t] = value;
    c[t] = value;
    d[t] = value;
    e[t] = value;
    f[t] = value;
    __syncthreads();
    sum += cub::ThreadLoad<cub::LOAD_DEFAULT>(a + 63 - t);
    sum += cub::ThreadLoad<cub::LOAD_CA>(b + 63 - t);
    sum += cub::ThreadLoad<cub::LOAD_CG>(c + 63 - t);
    sum += cub::ThreadLoad<cub::LOAD_CS>(d + 63 - t);
    sum += cub::ThreadLoad<cub::LOAD_CV>(e + 63 - t);
    sum += cub::ThreadLoad<cub::LOAD_VOLATILE>(f + 63 - t);
    out[t] = sum;
}
