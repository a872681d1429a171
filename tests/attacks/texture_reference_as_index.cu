//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Two texels may be equal.
texture<int, 1, cudaReadModeElementType> places;

__global__ void k(int *a)
{
    a[tex1Dfetch(places, (int)threadIdx.x)] = threadIdx.x; //~? race
}
