//xfail:NOT_ALL_VERIFIED
//--block-dim=48 --grid-dim=1
// The loop compares the counter with its bound in one iteration alone, and comes back to elements of
// other threads.

__global__ void stride_tested_at_times(int *a, unsigned n, int rounds)
{
    unsigned i = 0xffffff00u + threadIdx.x;
    for (int round = 0; round < 10; round++) {
        if (round == rounds && i >= n)
            break;
        a[i & 255] = threadIdx.x; //~ race
        i += blockDim.x;
    }
}
