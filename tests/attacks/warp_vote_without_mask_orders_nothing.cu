//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A vote without a mask orders no memory, as one with a mask.
__global__ void k(int *a, int *b)
{
    a[threadIdx.x] = threadIdx.x; //~ race
    if (__any(threadIdx.x > 0))
        b[threadIdx.x] = a[31 - threadIdx.x]; //~ race
}
