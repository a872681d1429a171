//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A thread that sleeps does not wait for others.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race sleep
    __nanosleep(1000);
    sum += a[63 - t]; //~ race sleep
    out[t] = sum;
}
