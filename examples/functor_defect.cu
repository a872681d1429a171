//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As functor.cu, but the object folds every two elements into one: two threads are called for each.

class Axpy {
public:
    Axpy(float factor, const float *x, float *y) : factor(factor), x(x), y(y) {}

    __device__ void operator()(int i) const
    {
        y[i / 2] = factor * x[i] + y[i / 2]; //~ race
    }

private:
    float factor;
    const float *x;
    float *y;
};

template <typename Body>
__global__ void for_each(int n, Body body)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        body(i);
    }
}

int main()
{
    const int n = 1000;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = 1.0f;
    }
    for_each<<<16, 64>>>(n, Axpy(2.0f, x, y));
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && y[i] == 2.0f * i + 1.0f;
    }
    cudaFree(x);
    cudaFree(y);
    return right ? 0 : 1;
}
