//pass
//--local_size=64 --num_groups=16
// Two phases in one cooperative launch: the second reads what any block wrote in the first, and
// grid.sync() orders all threads of the launch.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void square_and_mirror(const int *in, int *squares, int *out)
{
    cg::grid_group grid = cg::this_grid();
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned last = gridDim.x * blockDim.x - 1;
    squares[gid] = in[gid] * in[gid];
    grid.sync();
    out[gid] = squares[last - gid];
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
