//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Objects are exchanged between lanes as numbers are: nobody says that a barrier of the warp is among it.

#include <cub/cub.cuh>

struct Pair {
    int value, at;
};
struct Larger {
    __device__ Pair operator()(const Pair &a, const Pair &b) const { return a.value < b.value ? b : a; }
};

__global__ void exchange(const int *in, int *out)
{
    typedef cub::WarpReduce<Pair> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Pair largest = Collective(storage).Reduce(Pair{value, t}, Larger());
    if (t != 0) largest.value = 0;
    out[t] = cells[31 - t] + largest.value; //~ race
}
