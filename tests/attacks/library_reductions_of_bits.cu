//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A reduction of bits among lanes orders no memory.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[32], b[32], c[32];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race and
    sum += __reduce_and_sync(0xffffffff, value);
    sum += a[31 - t]; //~ race and
    b[t] = value; //~ race or
    sum += __reduce_or_sync(0xffffffff, value);
    sum += b[31 - t]; //~ race or
    c[t] = value; //~ race xor
    sum += __reduce_xor_sync(0xffffffff, value);
    sum += c[31 - t]; //~ race xor
    out[t] = sum;
}
