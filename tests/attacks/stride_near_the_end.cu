//xfail:NOT_ALL_VERIFIED
//--block-dim=48 --grid-dim=1
// The counter begins so far up that its sum wraps in every run.

__global__ void stride_near_the_end(int *a, unsigned n)
{
    unsigned most = n | 0xfffffff0u, round = 0;
    for (unsigned i = 0xffffff00u + threadIdx.x; i < most && round < 10; i += blockDim.x) {
        a[i & 255] = threadIdx.x; //~ race
        round++;
    }
}
