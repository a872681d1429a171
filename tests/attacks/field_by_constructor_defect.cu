//xfail:NOT_ALL_VERIFIED
//--without=preconditions
// As field_by_constructor.cu, but the constructor mistakes the field.
#include <cuda_runtime.h>
#include <cstdlib>

struct Base {
    int first;
};

struct Derived : Base {
    int stride;
    explicit Derived(int n) : Base{n * 2}, stride(n / 2) {}
};

__global__ void rows(Derived p, int *out)
{
    out[blockIdx.x * p.stride + threadIdx.x] = blockIdx.x; //~ race
}

int main(int argc, char **argv)
{
    int *out;
    cudaMalloc(&out, 1 << 20);
    rows<<<8, 64>>>(Derived(32), out);
    return 0;
}
