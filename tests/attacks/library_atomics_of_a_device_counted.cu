//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An atomic function orders no memory.

__global__ void exchange(const int *in, unsigned int *counters, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race increment
    atomicInc(counters + t, value);
    sum += a[63 - t]; //~ race increment
    b[t] = value; //~ race decrement
    atomicDec(counters + t, value);
    sum += b[63 - t]; //~ race decrement
    c[t] = value; //~ race compare
    atomicCAS(counters + t, 0, value);
    sum += c[63 - t]; //~ race compare
    out[t] = sum;
}
