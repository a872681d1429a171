//xfail:NOT_ALL_VERIFIED
//
// The pointer lies in a variable of the file, and is loaded again behind a function that nobody knows.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

float *p;
void elsewhere();

int main()
{
    cudaMalloc(&p, 4096);
    float *q = p;
    elsewhere();
    add<<<1, 64>>>(p, q);
    return 0;
}
