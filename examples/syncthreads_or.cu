//pass
//--local_size=64 --num_groups=16
// A height spreads to the neighbours, one lower each time, until nothing changes any more:
// __syncthreads_or says so to all threads at once, and is the barrier before the next reads.

constexpr int BLOCK = 64;

__global__ void spread(int *data)
{
    __shared__ int height[BLOCK];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    height[t] = data[gid];
    __syncthreads();
    bool higher;
    do {
        int own = height[t];
        int left = t > 0 ? height[t - 1] : own;
        int right = t < BLOCK - 1 ? height[t + 1] : own;
        int slope = max(left, right) - 1;
        higher = slope > own;
        __syncthreads();
        if (higher) {
            height[t] = slope;
        }
    } while (__syncthreads_or(higher));
    data[gid] = height[t];
}

int main()
{
    const int n = 16 * BLOCK;
    int *data;
    cudaMallocManaged(&data, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        data[i] = i % BLOCK == 20 ? 100 : 0;
    }
    spread<<<16, BLOCK>>>(data);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        int distance = i % BLOCK - 20;
        right = right && data[i] == 100 - (distance < 0 ? -distance : distance);
    }
    cudaFree(data);
    return right ? 0 : 1;
}
