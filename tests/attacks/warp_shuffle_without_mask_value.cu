//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// The value of lane 0 is the same for all: they write to one place.
__global__ void k(int *a)
{
    a[__shfl((int)threadIdx.x, 0)] = threadIdx.x; //~ race
}
