//xfail:NOT_ALL_VERIFIED
//
// A function allocates a buffer, which may stand for both.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

__attribute__((noinline)) static float *upload(const float *values, int count)
{
    float *made;
    cudaMalloc(&made, 4 * count);
    cudaMemcpy(made, values, 4 * count, cudaMemcpyHostToDevice);
    return made;
}

int main(int count, char **)
{
    static float values[1024];
    float *p = upload(values, 1024), *q = count > 1 ? upload(values, 1024) : p;
    for (int i = 0; i < count; i++) {
        add<<<1, 64>>>(p, q);
        float *other = p;
        p = q;
        q = other;
    }
    return 0;
}
