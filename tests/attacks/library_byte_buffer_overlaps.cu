//xfail:NOT_ALL_VERIFIED
//--block-dim=128 --grid-dim=1
// A buffer is temporary storage while a collective works in it: what it holds besides is lost, and a race.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    alignas(16) __shared__ unsigned char bytes[2048];
    int t = threadIdx.x;
    bytes[t] = t; //~ race
    int sum = Reduce(*reinterpret_cast<Reduce::TempStorage *>(bytes)).Sum(in[t]); //~ race
    if (t == 0) out[0] = sum;
}
