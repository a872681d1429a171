//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As scan_in_place.cu, but threads leave the loop at different times, so some wait at a barrier
// that others never reach.

constexpr int SIZE = 64;

__global__ void scan(int *sum)
{
    int tid = threadIdx.x;
    int offset = 1;
    int before;
    while (offset <= tid) {
        before = sum[tid - offset];
        __syncthreads(); //~ barrier-divergence
        sum[tid] = sum[tid] + before;
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
