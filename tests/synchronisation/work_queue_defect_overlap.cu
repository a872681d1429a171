//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=8
// Rows overlap.

__global__ void work_queue(int *next, int rows, const int *in, int *out)
{
    __shared__ int item;
    while (true) {
        if (threadIdx.x == 0)
            item = atomicAdd(next, 1);
        __syncthreads();
        int row = item;
        __syncthreads();
        if (row >= rows)
            return;
        out[row * 32 + (int)threadIdx.x] += in[row * 64 + (int)threadIdx.x]; //~ race
    }
}
