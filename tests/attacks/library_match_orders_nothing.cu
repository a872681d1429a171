//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A match orders no memory.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[32], b[32];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race all
    int all;
    sum += __match_all_sync(0xffffffff, value, &all);
    sum += a[31 - t]; //~ race all
    b[t] = value; //~ race any
    sum += __match_any_sync(0xffffffff, value);
    sum += b[31 - t]; //~ race any
    out[t] = sum;
}
