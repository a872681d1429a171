// racy
// run: --block-dim 64 --grid-dim 1
// The others do not wait.

__global__ void filled_by_one_thread(int *out)
{
    __shared__ int cells[64];
    if (threadIdx.x == 0) {
        memset(cells, 0xff, sizeof(cells)); //~ race
    }
    cells[threadIdx.x] += threadIdx.x; //~ race
    out[threadIdx.x] = cells[threadIdx.x]; //~ race
}
