//pass
//--local_size=64 --num_groups=16
// open sizes too
// The smallest useful kernel: one thread per element, and a guard for the threads beyond the
// end. Distinct global indices give distinct elements, so nothing can race.

__global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

int main()
{
    const int n = 1000;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&c, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    vector_add<<<16, 64>>>(a, b, c, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && c[i] == 3 * i;
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return right ? 0 : 1;
}
