//xfail:NOT_ALL_VERIFIED
//--vector-arithmetic --block-dim=64 --grid-dim=1
// The operator of the source is meant, which forgets a lane.
__device__ int2 operator+(int2 a, int2 b) { return make_int2(b.x, a.y + b.y); }

__global__ void k(int *a)
{
    int2 i = make_int2(threadIdx.x, 0) + make_int2(1, 0);
    a[i.x] = threadIdx.x; //~ race
}
