//pass
//--local_size=64 --num_groups=1
// A scan in which all threads go round the loop equally often, and only those with a left
// neighbour at the present distance work. Barriers order global memory, too.

constexpr int SIZE = 64;

__global__ void scan(int *sum)
{
    int tid = threadIdx.x;
    int offset = 1;
    int before;
    while (offset < SIZE) {
        if (tid >= offset) {
            before = sum[tid - offset];
        }
        __syncthreads();
        if (tid >= offset) {
            sum[tid] = sum[tid] + before;
        }
        __syncthreads();
        offset *= 2;
    }
}

int main()
{
    int *sum;
    cudaMallocManaged(&sum, SIZE * sizeof(int));
    for (int i = 0; i < SIZE; i++) {
        sum[i] = i;
    }
    scan<<<1, SIZE>>>(sum);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < SIZE; i++) {
        right = right && sum[i] == i * (i + 1) / 2;
    }
    cudaFree(sum);
    return right ? 0 : 1;
}
