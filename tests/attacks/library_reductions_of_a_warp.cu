//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A reduction among lanes orders no memory.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[32], b[32], c[32];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race sum
    sum += __reduce_add_sync(0xffffffff, value);
    sum += a[31 - t]; //~ race sum
    b[t] = value; //~ race least
    sum += __reduce_min_sync(0xffffffff, value);
    sum += b[31 - t]; //~ race least
    c[t] = value; //~ race most
    sum += __reduce_max_sync(0xffffffff, value);
    sum += c[31 - t]; //~ race most
    out[t] = sum;
}
