//pass
//--block-dim=64 --grid-dim=4
// assumes: temporary storage of library functions is as large as `sizeof` says here (line 23)
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
// How large it is in the program that runs nobody knows who has not compiled it with CUB. What lies in a union beside the
// bytes that it has here at least may overlap it there, and be used at the same time.
#include <cub/cub.cuh>

__global__ void library_storage(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ union {
        Reduce::TempStorage storage;
        int cells[128];
    } shared;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    shared.cells[64 + t] = in[i];
#ifdef OTHERWISE
    __syncthreads();
    out[i] = shared.cells[64 + (t ^ 1)];
#else
    __syncthreads();
    int sum = Reduce(shared.storage).Sum(shared.cells[64 + (t ^ 1)]);
    if (t == 0) out[blockIdx.x] = sum;
#endif
}
