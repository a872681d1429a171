//pass
//--local_size=64 --num_groups=16
// open sizes too
// A kernel that takes an object to call: what a thread does to its element is said by the object's
// operator(), which has the pointers with it.

class Axpy {
public:
    Axpy(float factor, const float *x, float *y) : factor(factor), x(x), y(y) {}

    __device__ void operator()(int i) const
    {
        y[i] = factor * x[i] + y[i];
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
