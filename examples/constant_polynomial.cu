//pass
//--local_size=64 --num_groups=16
// open sizes too
// Coefficients in constant memory, which the host sets and all threads read: nobody can race on
// them.

constexpr int DEGREE = 3;

__constant__ float coefficients[DEGREE + 1];

__global__ void evaluate(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float value = 0.0f;
    for (int k = DEGREE; k >= 0; k--) {
        value = value * x[i] + coefficients[k];
    }
    y[i] = value;
}

int main()
{
    const int n = 1000;
    const float host_coefficients[DEGREE + 1] = {1.0f, 2.0f, 0.0f, 1.0f};
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = i % 100;
    }
    cudaMemcpyToSymbol(coefficients, host_coefficients, sizeof(host_coefficients));
    evaluate<<<16, 64>>>(x, y, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && y[i] == 1.0f + 2.0f * x[i] + x[i] * x[i] * x[i];
    }
    cudaFree(x);
    cudaFree(y);
    return right ? 0 : 1;
}
