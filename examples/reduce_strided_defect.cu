//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_strided.cu, but the barrier is before the rounds instead of in each: what a round reads another thread
// may still be adding up in the round before.

#define COUNT 512

__global__ void reduce_strided(const int *in, int *out)
{
    __shared__ int data[COUNT];
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x) {
        data[i] = in[blockIdx.x * COUNT + i];
    }
    __syncthreads();
    for (int half = COUNT / 2; half > 0; half >>= 1) {
        for (int i = threadIdx.x; i < half; i += blockDim.x) {
            data[i] += data[half + i]; //~ race
        }
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = data[0];
    }
}

int main()
{
    const int blocks = 16, n = blocks * COUNT;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, blocks * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i % 7;
    }
    reduce_strided<<<blocks, 64>>>(in, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int block = 0; block < blocks; block++) {
        int sum = 0;
        for (int i = 0; i < COUNT; i++) {
            sum += in[block * COUNT + i];
        }
        right = right && out[block] == sum;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
