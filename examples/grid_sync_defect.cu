//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As grid_sync.cu, but only the threads of a block wait for each other, and what is read was
// written by another block.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void square_and_mirror(const int *in, int *squares, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned last = gridDim.x * blockDim.x - 1;
    squares[gid] = in[gid] * in[gid]; //~ race
    block.sync();
    out[gid] = squares[last - gid]; //~ race
}

int main()
{
    const int n = 16 * 64;
    int *in, *squares, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&squares, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    void *arguments[] = {&in, &squares, &out};
    cudaLaunchCooperativeKernel((const void *)square_and_mirror, dim3(16), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && out[i] == (n - 1 - i) * (n - 1 - i);
    }
    cudaFree(in);
    cudaFree(squares);
    cudaFree(out);
    return right ? 0 : 1;
}
