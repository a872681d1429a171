//pass
//--local_size=64 --num_groups=16
// A grid-stride loop: the launch has 1024 threads whatever the length of the vectors, and each
// one goes on to the element one whole grid further. A template, instantiated by the launch.

template <typename T>
__global__ void saxpy(T *__restrict__ y, const T *__restrict__ x, T a, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        y[i] = a * x[i] + y[i];
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
