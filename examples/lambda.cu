//pass
//--local_size=64 --num_groups=16
// A kernel that takes a lambda: it runs once for each index, with the pointers that it captured by
// value.

template <typename Body>
__global__ void __launch_bounds__(64) for_each_index(int n, Body body)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        body(i);
    }
}

int main()
{
    const int n = 5000;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    auto mirror = [=] __device__(int i) {
        out[n - 1 - i] = in[i];
    };
    for_each_index<<<16, 64>>>(n, mirror);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && out[i] == n - 1 - i;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
