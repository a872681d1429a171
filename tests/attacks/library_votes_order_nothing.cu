//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A vote orders no memory.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[32], b[32], c[32], d[32];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race all
    sum += __all_sync(0xffffffff, value);
    sum += a[31 - t]; //~ race all
    b[t] = value; //~ race any
    sum += __any_sync(0xffffffff, value);
    sum += b[31 - t]; //~ race any
    c[t] = value; //~ race uniform
    sum += __uni_sync(0xffffffff, value);
    sum += c[31 - t]; //~ race uniform
    d[t] = value; //~ race ballot
    sum += __ballot_sync(0xffffffff, value);
    sum += d[31 - t]; //~ race ballot
    out[t] = sum;
}
