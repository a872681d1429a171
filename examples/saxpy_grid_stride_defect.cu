//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As saxpy_grid_stride.cu, but the loop strides by the size of a block instead of the size of
// the grid: the second element of one block is the first of the next.

template <typename T>
__global__ void saxpy(T *__restrict__ y, const T *__restrict__ x, T a, int n)
{
    int stride = blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i]; //~ race
    }
}

int main()
{
    const int n = 5000;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
    saxpy<<<16, 64>>>(y, x, 2.0f, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && y[i] == 2.0f * i + 1.0f;
    }
    cudaFree(x);
    cudaFree(y);
    return right ? 0 : 1;
}
