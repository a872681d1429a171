//pass
//--block-dim=64 --grid-dim=1
// A barrier that counts, or says what all or any thread says, orders memory.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value;
    sum += __syncthreads_and(value);
    sum += a[63 - t];
    b[t] = value;
    sum += __syncthreads_or(value);
    sum += b[63 - t];
    c[t] = value;
    sum += __syncthreads_count(value);
    out[t] = sum + c[63 - t];
}
