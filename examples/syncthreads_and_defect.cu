//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As syncthreads_and.cu, but every thread leaves the loop as soon as its own pairs are in order,
// while others go on, and wait for it.

constexpr int BLOCK = 64;

/* Puts two neighbours in order; whether they were. */
__device__ bool order(int *pair)
{
    int first = pair[0];
    int second = pair[1];
    if (first <= second) {
        return true;
    }
    pair[0] = second;
    pair[1] = first;
    return false;
}

__global__ void __launch_bounds__(BLOCK) sort_blocks(int *data)
{
    __shared__ int cells[2 * BLOCK];
    int t = threadIdx.x;
    int *block = data + blockIdx.x * (2 * BLOCK);
    cells[t] = block[t];
    cells[t + BLOCK] = block[t + BLOCK];
    __syncthreads();
    bool in_order;
    do {
        in_order = order(cells + 2 * t);
        __syncthreads(); //~ barrier-divergence first
        if (t < BLOCK - 1) {
            in_order = order(cells + 2 * t + 1) && in_order;
        }
        __syncthreads(); //~ barrier-divergence second
    } while (!in_order);
    block[t] = cells[t];
    block[t + BLOCK] = cells[t + BLOCK];
}

int main()
{
    const int n = 16 * 2 * BLOCK;
    int *data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        data[i] = i * 7919 % 1009;
    }
    sort_blocks<<<16, BLOCK>>>(data);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && (i % (2 * BLOCK) == 0 || data[i - 1] <= data[i]);
    }
    cudaFree(data);
    return right ? 0 : 1;
}
