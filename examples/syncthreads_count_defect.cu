//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As syncthreads_count.cu, but a thread looks at its own element besides: those with a negative
// one do not come to the barrier.

constexpr int BLOCK = 64;

__global__ void reverse_positive_blocks(int *data)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    int value = data[gid];
    if (__syncthreads_count(value > 0) > BLOCK / 2 && value > 0) {
        cells[t] = value;
        __syncthreads(); //~ barrier-divergence
        data[gid] = cells[BLOCK - 1 - t];
    }
}
