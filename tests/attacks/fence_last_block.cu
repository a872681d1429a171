//unknown
//--local_size=64 --num_groups=16
// The block that finishes last adds up the sums of all: __threadfence before the ticket orders each
// block's sum before it. That order is through memory, not by a barrier, and needs fences on both sides.

constexpr int BLOCK = 64;

__device__ unsigned int blocks_done = 0;

__global__ void __launch_bounds__(BLOCK) sum(const int *in, volatile int *sums, int *total)
{
    __shared__ int cells[BLOCK];
    __shared__ bool is_last;
    int t = threadIdx.x;
    cells[t] = in[blockIdx.x * BLOCK + t];
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (t < s) {
            cells[t] += cells[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = cells[0];
        __threadfence();
        unsigned ticket = atomicInc(&blocks_done, gridDim.x - 1);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++) {
            all += sums[b];
        }
        *total = all;
    }
}

int main()
{
    const int blocks = 16;
    int *in, *sums, *total;
    cudaMallocManaged(&in, blocks * BLOCK * sizeof(int));
    cudaMallocManaged(&sums, blocks * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    for (int i = 0; i < blocks * BLOCK; i++) {
        in[i] = i;
    }
    sum<<<blocks, BLOCK>>>(in, sums, total);
    cudaDeviceSynchronize();
    bool right = *total == blocks * BLOCK * (blocks * BLOCK - 1) / 2;
    cudaFree(in);
    cudaFree(sums);
    cudaFree(total);
    return right ? 0 : 1;
}
