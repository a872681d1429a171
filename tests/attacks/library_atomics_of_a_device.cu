//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An atomic function orders no memory.

__global__ void exchange(const int *in, int *counters, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race add
    atomicAdd(counters + t, value);
    sum += a[63 - t]; //~ race add
    b[t] = value; //~ race sub
    atomicSub(counters + t, value);
    sum += b[63 - t]; //~ race sub
    c[t] = value; //~ race exch
    atomicExch(counters + t, value);
    sum += c[63 - t]; //~ race exch
    d[t] = value; //~ race min
    atomicMin(counters + t, value);
    sum += d[63 - t]; //~ race min
    out[t] = sum;
}
