//pass
//--local_size=64 --num_groups=16
// Blocks in which most elements are positive reverse themselves. __syncthreads_count gives every
// thread of a block the same number, so all of them take the branch with the barrier or none does.

constexpr int BLOCK = 64;

__global__ void reverse_positive_blocks(int *data)
{
    __shared__ int cells[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    int value = data[gid];
    if (__syncthreads_count(value > 0) > BLOCK / 2) {
        cells[t] = value;
        __syncthreads();
        data[gid] = cells[BLOCK - 1 - t];
    }
}
