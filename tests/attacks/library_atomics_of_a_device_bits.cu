//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An atomic function orders no memory.

__global__ void exchange(const int *in, int *counters, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race max
    atomicMax(counters + t, value);
    sum += a[63 - t]; //~ race max
    b[t] = value; //~ race and
    atomicAnd(counters + t, value);
    sum += b[63 - t]; //~ race and
    c[t] = value; //~ race or
    atomicOr(counters + t, value);
    sum += c[63 - t]; //~ race or
    d[t] = value; //~ race xor
    atomicXor(counters + t, value);
    sum += d[63 - t]; //~ race xor
    out[t] = sum;
}
