//xfail:NOT_ALL_VERIFIED
//--vector-arithmetic --block-dim=64 --grid-dim=1
// The sum of the lanes: two threads have the same.
__global__ void k(int *a)
{
    int4 i = make_int4(threadIdx.x, -threadIdx.x, 1, 2), one = make_int4(1, 1, 1, 1);
    a[dot(i, one)] = threadIdx.x; //~ race
}
