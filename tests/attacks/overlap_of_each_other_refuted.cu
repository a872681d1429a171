//xfail:NOT_ALL_VERIFIED
//
// Each pointer is what the other one was, one element further: where they come from has no beginning.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

float *first, *second;
void elsewhere();

int main()
{
    for (int i = 0; i < 8; i++) {
        elsewhere();
        first = second + 1;
        elsewhere();
        second = first + 1;
        elsewhere();
        add<<<1, 64>>>(first, second);
    }
    return 0;
}
