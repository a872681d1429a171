//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As syncthreads_or.cu, without the barrier between reading the neighbours' heights and raising
// one's own: a neighbour may have been raised already.

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
        int left = t > 0 ? height[t - 1] : own; //~ race left
        int right = t < BLOCK - 1 ? height[t + 1] : own; //~ race right
        int slope = max(left, right) - 1;
        higher = slope > own;
        if (higher) {
            height[t] = slope; //~ race left right
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
