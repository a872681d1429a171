//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As vector_add.cu, but indexed by the thread's index in its block: every block writes the same
// 64 elements, so threads of different blocks race.

__global__ void vector_add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[threadIdx.x] = a[i] + b[i]; //~ race
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
