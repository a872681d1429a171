//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// A sum of sizes that no loop counts by: it wraps in every run, which no assumption may exclude.

__global__ void stride_of_no_counter(int *a, int *b)
{
    unsigned sum = 0;
    for (int i = 0; i < 100; i++)
        sum += blockDim.x << 22;
    b[sum] = 0;
    a[7] = blockIdx.x * 64 + threadIdx.x; //~ race
}
