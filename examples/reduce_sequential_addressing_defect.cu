//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_sequential_addressing.cu, but the second half begins one element too early: its
// first element is the one that the last active thread writes.

template <int SIZE>
__global__ void __launch_bounds__(SIZE) reduce_sequential(const int *in, int *out)
{
    __shared__ int data[SIZE];
    int t = threadIdx.x;
    data[t] = in[blockIdx.x * SIZE + t];

    for (int s = SIZE / 2; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) {
            data[t] += data[t + s - 1]; //~ race
        }
    }

    if (t == 0) {
        out[blockIdx.x] = data[0];
    }
}

int main()
{
    const int blocks = 16, size = 64;
    int *in, *out;
    cudaMallocManaged(&in, blocks * size * sizeof(int));
    cudaMallocManaged(&out, blocks * sizeof(int));
    for (int i = 0; i < blocks * size; i++) {
        in[i] = i / size;
    }
    reduce_sequential<size><<<blocks, size>>>(in, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int b = 0; b < blocks; b++) {
        right = right && out[b] == b * size;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
